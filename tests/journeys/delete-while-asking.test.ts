import { describe, expect, test } from "vitest";

import { defaultOptions } from "#app/features/avatar/rules.ts";
import { cardFields } from "#tests/support/cards.ts";
import { isMissing, makeDatabase } from "#tests/support/databases.ts";
import { everyForm } from "#tests/support/forms.ts";
import { profileForm } from "#tests/support/profiles.ts";
import { s3Environment, startS3 } from "#tests/support/s3.ts";
import { createTestApp } from "#tests/support/test-app.ts";
import { fillAccount, readFiles, readRows } from "#tests/support/traces.ts";
import { jpeg, pdf } from "#tests/support/uploads.ts";
import type { Visitor } from "#tests/support/visitor.ts";

const last = { intent: "delete", confirm: "DELETE" };
const engines = (["sqlite", "postgres"] as const).filter((engine) => !isMissing(engine));
const places = engines.flatMap((engine) => (["a folder", "S3"] as const).map((store) => ({ engine, store })));

describe.each(places)("an account that is deleted while it asks, on $engine with $store", ({ engine, store }) => {
  async function open() {
    const { databaseUrl } = await makeDatabase(engine, { migrated: false });
    const s3 = store === "S3" ? s3Environment(await startS3()) : {};
    return createTestApp({ env: { ...(databaseUrl && { DATABASE_URL: databaseUrl }), ...s3 } });
  }

  test("is not brought back by a form or a file whose end comes later", async () => {
    const { signedIn, services, logLines } = await open();
    const before = { rows: await readRows(services), files: await readFiles(services) };
    const ada = await signedIn();
    const { card } = await fillAccount(ada, services, "ada");
    const held = [...formsOf(card), ...(await filesOf(card))].map((one) => hold(ada, one));
    // Each of them was let in as Ada.
    await Promise.all(held.map(({ isRead }) => isRead));
    expect((await ada.post("/account/delete", last)).headers.get("location")).toBe("/");
    const answers = await Promise.all(held.map(({ end }) => end()));
    await services.jobs.runDue();
    await services.jobs.runDue();
    expect({ rows: await readRows(services), files: await readFiles(services) }).toEqual(before);
    for (const { path, answer } of answers) {
      expect(answer.status, path).toBeLessThan(500);
      if (path.startsWith("/uploads/") || path === "/avatar/save") expect(answer.status, path).toBe(401);
      if (path === "/profile" || path === "/cards/edit") expect(answer.headers.get("location"), path).toBe("/auth");
    }
    expect(logLines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test("leaves nothing, whoever of many at once is first", async () => {
    const { signedIn, services } = await open();
    const before = { rows: await readRows(services), files: await readFiles(services) };
    for (let round = 0; round < 4; round++) {
      const ada = await signedIn(`ada-${round}@example.com`);
      const { card } = await fillAccount(ada, services, `ada-${round}`);
      const all = [...formsOf(card), ...(await filesOf(card))];
      const asked = all.map(async (one) => (await hold(ada, one).end()).answer.text());
      await Promise.all([...asked, ada.post("/account/delete", last)]);
      await services.jobs.runDue();
      await services.jobs.runDue();
      expect({ rows: await readRows(services), files: await readFiles(services) }).toEqual(before);
    }
  });
});

type Sent = { path: string; type: string; bytes: Uint8Array };

/** Every form that only a person with an account sends; those of visitors may make something new. */
function formsOf(card: string): Sent[] {
  const forms = everyForm(card).filter(({ path }) => /^\/(?:account|avatar|profile|cards)/.test(path));
  const more = [
    { path: "/avatar/save", fields: { options: JSON.stringify(defaultOptions("Ada")) } },
    { path: "/profile", fields: profileForm({ handle: "late", version: "3" }) },
    { path: "/cards/edit", fields: { ...cardFields, id: crypto.randomUUID() } },
    { path: `/cards/${card}/details`, fields: { display_name: "Late", company: "Late" } },
  ];
  return [...forms.filter(({ path }) => !/^\/(?:avatar|profile$)/.test(path)), ...more].map(({ path, fields }) => ({
    path,
    type: "application/x-www-form-urlencoded",
    bytes: new TextEncoder().encode(`${new URLSearchParams(fields)}&`),
  }));
}

async function filesOf(card: string): Promise<Sent[]> {
  const picture = await jpeg();
  const slots = ["avatar", "banner", `logo:${card}`].map((slot) => ({ slot, bytes: picture }));
  return [...slots, { slot: "resume", bytes: pdf("late") }].map(({ slot, bytes }) => ({
    path: `/uploads/${slot}?name=late`,
    type: "application/octet-stream",
    bytes: new Uint8Array(bytes),
  }));
}

/** Sends a request whose body does not come before `end`; `isRead` once the server, which knows by then who asks, waits for it. */
function hold(person: Pick<Visitor, "request">, { path, type, bytes }: Sent) {
  const isRead = Promise.withResolvers<void>();
  const isEnded = Promise.withResolvers<void>();
  const body = new ReadableStream(
    {
      async pull(controller) {
        isRead.resolve();
        await isEnded.promise;
        controller.enqueue(bytes);
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { origin: "http://localhost:3000", "content-type": type, "content-length": `${bytes.length}` };
  const init = { method: "POST", body, headers, duplex: "half" };
  const answered = person.request(path, init);
  async function end() {
    isEnded.resolve();
    return { path: path.replace(/\?.*/, ""), answer: await answered };
  }
  return { isRead: isRead.promise, end };
}
