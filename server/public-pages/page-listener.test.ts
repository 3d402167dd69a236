import { brotliCompressSync } from "node:zlib";

import { expect, test } from "vitest";

import { listen } from "#tests/support/app/listening-app.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const [profile, card] = ["/u/demo-user", "/card/demo-card"];

/** The sample's pages in the database, replaced by another text, and a listener with an empty memory. */
async function openWithStoredPages() {
  const now = Date.now();
  const { services } = await createTestApp({ env: { DEMO: "on" }, clock: () => now });
  const first = await listen(services);
  for (const path of [profile, card]) await first.send(path);
  await services.renderedPages.flush();
  const body = brotliCompressSync("stored");
  await services.db.updateTable("rendered_page").set({ body }).execute();
  let reads = 0;
  const find = (path: string) => {
    reads += 1;
    return services.renderedPages.find(path);
  };
  const next = await listen({ ...services, renderedPages: { ...services.renderedPages, find } });
  return { ...next, services, countReads: () => reads };
}

test.each([
  ["10.0.0.1", ""],
  ["127.0.0.1", "JP"],
])("a visitor's country is believed from a trusted proxy alone, which is %s", async (proxy, country) => {
  const { services } = await createTestApp({
    env: { DEMO: "on", COUNTRY_HEADER: "CF-IPCountry", TRUSTED_PROXY: proxy },
  });
  const { send, direct } = await listen(services);
  for (let n = 0; n < 2; n++) await send(`${profile}?q`, { "cf-ipcountry": "JP" });
  expect(direct).toHaveLength(1);
  await services.counter.flush();
  const rows = await services.db.selectFrom("hourly_count").select(["country", "n"]).execute();
  expect(rows.map((row) => ({ ...row }))).toEqual([{ country, n: 2 }]);
});

test("a page in the database is sent by the raw listener, then from memory, and each visit is counted", async () => {
  const { send, direct, services, countReads } = await openWithStoredPages();
  const ids = new Set();
  for (const encoding of ["br", "gzip", "identity"]) {
    const { status, headers, body } = await send(`${profile}?q`, { "accept-encoding": encoding });
    expect([status, headers["content-encoding"] ?? "identity"]).toEqual([200, encoding]);
    if (encoding === "identity") expect(body.toString()).toBe("stored");
    ids.add(headers["x-request-id"]);
  }
  expect([direct, ids.size, countReads()]).toEqual([Array(3).fill(`200 ${profile}`), 3, 1]);
  await services.counter.flush();
  const tallies = await services.db.selectFrom("hourly_count").select(["source", "n"]).execute();
  expect(tallies).toContainEqual({ source: "qr", n: 3 });
});

test("a browser that has a page in the database gets a 304 for it", async () => {
  const { send, direct } = await openWithStoredPages();
  const { headers } = await send(profile);
  const known = await send(card, { "if-none-match": String(headers["etag"]) });
  expect(known.status).toBe(200);
  const again = await send(card, { "if-none-match": String(known.headers["etag"]) });
  expect([again.status, again.body.length]).toEqual([304, 0]);
  expect(direct).toEqual([`200 ${profile}`, `200 ${card}`, `304 ${card}`]);
});

test("the database is asked once for a page that it doesn't have, and for no path that can't have one", async () => {
  const { send, direct, services, countReads } = await openWithStoredPages();
  await services.db.deleteFrom("rendered_page").execute();
  expect((await send(profile)).body.toString()).toContain("Maya Lindqvist");
  expect([countReads(), direct]).toEqual([1, []]);
  for (const path of ["/", "/pricing", `${profile}/`, "/u/%64emo-user", `${profile}/qr.svg`, "/profile", "/healthz"])
    await send(path);
  expect(countReads()).toBe(1);
  await send(card, {}, "HEAD");
  expect(countReads()).toBe(2);
});
