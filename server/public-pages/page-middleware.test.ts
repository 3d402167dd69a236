import type { IncomingHttpHeaders } from "node:http";

import { describe, expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { listen } from "#tests/support/app/listening-app.ts";
import { userIdOf, profileForm } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const baseUrl = "http://localhost:3000";
const browser = "Mozilla/5.0 (iPhone) Safari/604.1";
const cookie = "meishi.session_token";

async function openProduct() {
  // Visits are counted by day: it may be midnight.
  const now = Date.now();
  const product = await createTestApp({ env: { DEMO: "on" }, clock: () => now });
  return { ...product, ...(await listen(product.services)) };
}

describe("a cached page", () => {
  test("is the same in each encoding from the raw listener and from the app, for all query strings", async () => {
    const { app, send, direct, pages } = await openProduct();
    const ids = new Set<unknown>();
    for (const encoding of ["", "gzip, deflate", "gzip, deflate, br, zstd", "gzip;q=1.0, br;q=0", "zstd, *"]) {
      pages.dropAll();
      const headers: Record<string, string> = encoding ? { "accept-encoding": encoding } : {};
      const request = (path: string, more = {}) =>
        app.request(baseUrl + path, { headers: { "user-agent": browser, ...headers, ...more } });
      for (const path of ["/card/demo-card", "/u/demo-user", "/card/demo-card?q&utm_source=x"]) {
        const [bare = ""] = path.split("?");
        const [first, second] = [await request(path), await request(path)];
        const raw = await send(path, headers);
        expect(direct.splice(0)).toEqual([`200 ${bare}`]);
        expect(raw.status).toBe(second.status);
        expect(raw.headers).toMatchObject({ "cache-control": "no-cache", vary: "accept-encoding, cookie" });
        for (const response of [first, second]) {
          expect(stableHeaders(Object.fromEntries(response.headers))).toEqual(stableHeaders(raw.headers));
          expect(Buffer.from(await response.arrayBuffer()).equals(raw.body)).toBe(true);
          ids.add(response.headers.get("x-request-id"));
        }
        const known = String(second.headers.get("etag"));
        for (const tag of [known, `W/${known}`, `"other", ${known}`]) {
          const more = { "if-none-match": tag };
          const again = await request(path, more);
          const directly = await send(path, { ...headers, ...more });
          expect([again.status, directly.status]).toEqual([304, 304]);
          expect(stableHeaders(directly.headers)).toEqual(stableHeaders(Object.fromEntries(again.headers)));
          expect([directly.body.length, await again.text()]).toEqual([0, ""]);
        }
        const other = await send(path, { ...headers, "if-none-match": '"other"' });
        expect(other.status).toBe(200);
        for (const response of [raw, other]) ids.add(response.headers["x-request-id"]);
        direct.length = 0;
      }
      expect(pages.size().pages).toBe(2);
    }
    expect(ids.size).toBe(5 * 3 * 4);
  });

  test("counts each visit once, except HEAD, bots and prefetches", async () => {
    const { send, services, direct } = await openProduct();
    for (let n = 0; n < 4; n++) await send("/card/demo-card?q");
    expect(direct).toHaveLength(3);
    expect((await send("/card/demo-card?q", {}, "HEAD")).body).toHaveLength(0);
    await send("/card/demo-card?q", { "user-agent": "Googlebot/2.1" });
    await send("/card/demo-card?q", { "sec-purpose": "prefetch" });
    await services.counter.flush();
    const rows = await services.db.selectFrom("hourly_count").select(["source", "n"]).execute();
    expect(rows).toEqual([{ source: "qr", n: 4 }]);
  });
});

test("a save drops all pages of its owner at each of their addresses, and no others; a refused one none", async () => {
  const { send, signedIn, pages } = await openProduct();
  const ada = await signedIn();
  const id = await userIdOf(ada);
  await ada.post("/profile", profileForm({ handle: "ada-l", displayName: "Before" }));
  const cardId = await makeCard(ada);
  const own = [`/u/${id}`, "/u/ada-l", `/card/${cardId}`];
  const read = async (path: string) => (await send(path)).body.toString();
  const saveProfile = (displayName: string) =>
    ada.post("/profile", profileForm({ handle: "ada-l", displayName, version: "2" }));
  for (const path of [...own, "/card/demo-card"]) await read(path);
  await saveProfile("x".repeat(51));
  expect(pages.size().pages).toBe(own.length + 1);
  for (const [name, save] of Object.entries({
    "By profile": saveProfile,
    "By dialog": (display_name: string) => ada.post(`/cards/${cardId}/details`, { display_name }),
  })) {
    expect((await save(name)).status).toBeLessThan(400);
    expect(pages.size().pages).toBe(1);
    for (const path of own) expect(await read(path), path).toContain(name);
  }
  await ada.post(`/cards/${cardId}/delete`, {});
  expect((await send(`/card/${cardId}`)).status).toBe(404);
});

describe("a request with a session cookie", () => {
  test("of a signed-in user is rendered each time and not stored", async () => {
    const { send, signedIn, pages, direct } = await openProduct();
    const ada = await signedIn();
    const id = await userIdOf(ada);
    const own = { cookie: `${cookie}=${ada.cookies.get(cookie)}` };
    expect((await send(`/u/${id}`, own)).body.toString()).toContain("Edit Profile");
    expect(pages.size().pages).toBe(0);
    for (let n = 0; n < 2; n++) expect((await send(`/u/${id}`)).body.toString()).not.toContain("Edit Profile");
    expect(direct).toEqual([`200 /u/${id}`]);
    const page = await send(`/u/${id}`, own);
    expect(page.body.toString()).toContain("Edit Profile");
    expect(page.headers["cache-control"]).toBe("private, no-cache");
  });

  test("that names no session gets and leaves the cached page, and the cookie is removed", async () => {
    const { send, signedIn, pages, direct } = await openProduct();
    const ada = await signedIn();
    const path = `/u/${await userIdOf(ada)}`;
    const token = ada.cookies.get(cookie);
    await ada.post("/auth/sign-out", {});
    const { etag } = (await send(path, { cookie: `${cookie}=made-up` })).headers;
    expect((await send(path)).headers["set-cookie"]).toBeUndefined();
    expect(direct).toEqual([`200 ${path}`]);
    for (const value of ["made-up", "", `${"a".repeat(32)}.${"b".repeat(43)}%3D`, token]) {
      const page = await send(path, { cookie: `other=1; ${cookie}=${value}` });
      expect(page.headers["etag"], value).toBe(etag);
      expect(page.headers["set-cookie"]).toEqual([expect.stringContaining(`${cookie}=; Max-Age=0`)]);
      expect(page.headers["cache-control"]).toBe("private, no-cache");
      const known = { cookie: `${cookie}=${value}`, "if-none-match": String(etag) };
      expect((await send(path, known)).status).toBe(304);
    }
    expect(pages.size().pages).toBe(1);
  });
});

test("errors, refusals, redirects and pages at another path than their own are not cached", async () => {
  const { send, signedIn, pages, direct } = await openProduct();
  const ada = await signedIn();
  await userIdOf(ada);
  await ada.post("/profile", profileForm({ handle: "ada-l" }));
  const other = "/card/unknown /u/nobody /u/ADA-L /nowhere /auth /contact /card/demo-card.data /healthz";
  const odd = "/u/demo-user/ /U/demo-user /u/%64emo-user //u/demo-user /u/demo-user// /card/demo-card/";
  for (const path of [...other.split(" "), ...odd.split(" "), ...odd.split(" ")]) await send(path);
  await send("/card/demo-card", {}, "HEAD");
  await send("/card/demo-card", {}, "POST");
  expect([pages.size().pages, direct]).toEqual([0, []]);
  expect((await send("/u/demo-user/")).body.toString()).toContain(
    'rel="canonical" href="http://localhost:3000/u/demo-user"',
  );
});

/** The headers that are the same each time and don't belong to the connection. */
function stableHeaders(headers: IncomingHttpHeaders | Record<string, string>) {
  const own = ["x-request-id", "date", "connection", "keep-alive", "transfer-encoding"];
  return Object.entries(headers)
    .filter(([name]) => !own.includes(name))
    .toSorted(([one], [other]) => one.localeCompare(other));
}
