import { describe, expect, test } from "vitest";

import { maxFormFields } from "#app/services/http/form-body.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { textWith } from "#tests/support/app/responses.ts";
import { createSignedInApp } from "#tests/support/app/test-app.ts";
import { longestBlock } from "#tests/support/measurements.ts";

const origin = "http://localhost:3000";
const boundary = "-".repeat(29);
const urlEncoded = "application/x-www-form-urlencoded";
const part = `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n`;
const multipart = (parts: number) => `${part.repeat(parts)}--${boundary}--\r\n`;
const multipartType = `multipart/form-data; boundary=${boundary}`;

async function openApp() {
  const { ada, visitor } = await createSignedInApp();
  const cardId = await makeCard(ada);
  const post = (person: ReturnType<typeof visitor>, path: string, { body, type }: { body: string; type: string }) =>
    person.request(path, { method: "POST", body, headers: { origin, "content-type": type } });
  return { visitor: visitor(), ada, cardId, post };
}

describe("a form with many fields", () => {
  test("is refused beyond a hundred fields of a visitor, and two thousand of a user", async () => {
    const { visitor, ada, post } = await openApp();
    for (const [person, path, max] of [
      [visitor, "/auth", maxFormFields.visitor],
      [ada, "/profile", maxFormFields.user],
    ] as const) {
      for (const [body, type] of [
        [(fields: number) => Array<string>(fields).fill("a=").join("&"), urlEncoded],
        [(fields: number) => Array<string>(fields).fill("a=").join("&"), "Application/X-WWW-Form-URLEncoded"],
        [multipart, multipartType],
      ] as const) {
        expect((await post(person, path, { body: body(max), type })).status, `${path} ${type}`).toBe(400);
        expect(
          await textWith(413, await post(person, path, { body: body(max + 1), type }), `${path} ${type}`),
        ).toContain("You sent more than this page accepts.");
      }
    }
  });

  const kilobytes = (count: number, text: string) => text.repeat(Math.floor((count * 1_000) / text.length));
  const field = (name: string, text: string) => `version=1&theme=default&${name}=${kilobytes(1_900, text)}`;

  /** A body that almost contains its boundary again and again, so that a naive search takes its length times the boundary's. */
  const nearBoundaries = (size: number, length: number) =>
    `\r\n--${"a".repeat(length - 1)}b`.repeat(5) + kilobytes(size - (5 * (length + 4)) / 1_000, "a");

  const longBoundary = `multipart/form-data; boundary=${"a".repeat(8_000)}`;
  const profile = ["/profile"];

  // The first three are refused before a page sees them.
  test.each([
    ["one long boundary", { body: nearBoundaries(600, 8_000), type: longBoundary }, profile],
    ["separators", { body: kilobytes(1_999, "a&"), type: "Application/x-www-form-urlencoded" }, profile],
    ["parts", { body: multipart(20_000), type: multipartType }, profile],
    ["fields", { body: kilobytes(4, "a&"), type: urlEncoded }, [...profile, "/cards/edit/:card"]],
    ["markup", { body: field("displayName", "<"), type: urlEncoded }, [...profile, "/cards/:card/details"]],
    [
      "escaped markup",
      { body: field("card_name", "%3C"), type: urlEncoded },
      ["/cards/edit/:card", "/cards/:card/details"],
    ],
    ["one long name", { body: field("displayName", "x"), type: urlEncoded }, [...profile, "/cards/edit/:card"]],
  ])("of a user blocks the event loop for less than three scans: %s", async (_, form, paths) => {
    const { ada, cardId, post } = await openApp();
    for (const path of paths.map((pattern) => pattern.replace(":card", cardId))) {
      const statuses = new Set<number>();
      const block = await longestBlock(async () => statuses.add((await post(ada, path, form)).status), 3);
      expect(block, path).toBeLessThan(3);
      for (const status of statuses) expect([200, 400, 404, 413, 422], path).toContain(status);
    }
  });

  test.each([
    ["separators", kilobytes(99, "a&"), urlEncoded],
    ["parts", kilobytes(99, part), multipartType],
    ["markup", `intent=log-in&email=${kilobytes(99, "<")}`, urlEncoded],
    ["one long boundary", nearBoundaries(99, 8_000), longBoundary],
  ])("of a visitor blocks the event loop for less than three scans: %s", async (_, body, type) => {
    const { visitor, post } = await openApp();
    for (const path of ["/auth", "/contact"])
      expect(await longestBlock(() => post(visitor, path, { body, type }), 3), path).toBeLessThan(3);
  });
});
