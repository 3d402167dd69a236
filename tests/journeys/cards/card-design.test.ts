import { createHash } from "node:crypto";

import { expect, test } from "vitest";

import { cardFields as fields, fieldValue, makeCard } from "#tests/support/app/cards.ts";
import { makeFree, makePremium, profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { readElements, readHead } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const ownColor = { accent: "own", accent_color: "#3A5F8C" };

async function openApp() {
  const app = await createTestApp();
  const ada = await app.signedIn();
  const open = (id: string) => app.visitor().get(`/card/${id}`);
  /** The classes of the card on its page, the themes of the page and the card, and the styles. */
  const read = async (id: string) => {
    const elements = readElements(await (await open(id)).text());
    const classOf = ({ attributes }: (typeof elements)[number]) => (attributes["class"] ?? "").split(" ");
    const [page] = elements.filter(({ tag }) => tag === "main");
    const [card] = elements.filter((element) => element.tag === "section" && classOf(element).includes("card"));
    return {
      classes: card && classOf(card),
      themes: [page, card].map((element) => element?.attributes["data-theme"]),
      styles: elements.filter(({ tag }) => tag === "style").map(({ text }) => text),
    };
  };
  return { ...app, ada, open, read, ownerId: await userIdOf(ada) };
}

test("visitors see the design of a card, by a style that the page's policy allows by its hash", async () => {
  const { ada, open, read } = await openApp();
  const id = await makeCard(ada, { accent: "emerald", layout: "cover", paper: "dark" });
  const { classes, themes, styles } = await read(id);
  expect([classes, themes[1]]).toEqual([["card", "cover"], "ink"]);
  expect(styles.at(-1)).toContain("--brand:#6ee7b7");
  const policy = (await open(id)).headers.get("content-security-policy") ?? "";
  for (const css of styles) expect(policy).toContain(`'sha256-${createHash("sha256").update(css).digest("base64")}'`);
});

test("a card follows the theme of the profile when that changes", async () => {
  const { ada, open, read } = await openApp();
  const id = await makeCard(ada);
  expect((await read(id)).themes).toEqual(["ink", "default"]);
  expect((await ada.post("/profile", profileForm({ theme: "ocean" }))).status).toBe(302);
  expect((await read(id)).themes).toEqual(["ocean", undefined]);
  expect((await readHead(await open(id))).metas["theme-color"]).toBe("#0d3b52");
});

test("accents of Premium need it to be chosen and shown, and stay stored after a downgrade", async () => {
  const { ada, read, services, ownerId } = await openApp();
  const id = await makeCard(ada, { layout: "centered" });
  const save = (more: Record<string, string>) =>
    ada.post(`/cards/edit/${id}`, { ...fields, layout: "centered", company: "Typed", ...more });
  for (const accent of [{ accent: "rose" }, ownColor]) {
    const refused = await save({ ...accent, version: "1" });
    expect(refused.status).toBe(422);
    expect(fieldValue(await refused.text(), "company")).toBe("Typed");
  }
  await makePremium(services, ownerId);
  expect((await save({ ...ownColor, version: "1" })).status).toBe(302);
  expect((await read(id)).styles.at(-1)).toContain("--brand:#3a5f8c");

  await makeFree(services, ownerId);
  const { classes, styles } = await read(id);
  expect([classes?.includes("centered"), styles.join().includes("--brand:#3a5f8c")]).toEqual([true, false]);
  expect((await save({ ...ownColor, company: "Saved", version: "2" })).status).toBe(302);
  expect((await save({ accent: "rose", version: "3" })).status).toBe(422);
  await makePremium(services, ownerId);
  expect((await read(id)).styles.at(-1)).toContain("--brand:#3a5f8c");
});
