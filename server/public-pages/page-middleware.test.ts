import type { IncomingHttpHeaders } from "node:http";

import { describe, expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { listen } from "#tests/support/app/listening-app.ts";
import { userIdOf, profileForm } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const baseUrl = "http://localhost:3000";
const browser = "Mozilla/5.0 (iPhone) Safari/604.1";
const cookie = "meishi.session_token";

async function openProduct({ clock }: { clock?: () => number } = {}) {
  const product = await createTestApp({ env: { DEMO: "on" }, ...(clock && { clock }) });
  return { ...product, ...(await listen(product.services)) };
}

describe("a cached page", () => {
  const encodings: [string, Record<string, string>][] = [
    ["as it is", {}],
    ["in gzip", { "accept-encoding": "gzip, deflate" }],
    ["in brotli", { "accept-encoding": "gzip, deflate, br, zstd" }],
    ["not in brotli", { "accept-encoding": "gzip;q=1.0, br;q=0" }],
    ["in something else", { "accept-encoding": "zstd, *" }],
  ];

  test.each(encodings)("is the same %s from the raw listener and from the app", async (_, headers) => {
    const { app, send, direct } = await openProduct();
    for (const path of ["/card/demo-card", "/u/demo-user", "/card/demo-card?q&utm_source=x"]) {
      const [bare = ""] = path.split("?");
      const first = await app.request(baseUrl + path, { headers: { "user-agent": browser, ...headers } });
      const second = await app.request(baseUrl + path, { headers: { "user-agent": browser, ...headers } });
      const known = String(second.headers.get("etag"));
      const raw = await send(path, headers);
      expect(direct.splice(0)).toEqual([`200 ${bare}`]);
      expect(raw.status).toBe(second.status);
      expect(stableHeaders(raw.headers)).toEqual(stableHeaders(Object.fromEntries(second.headers)));
      expect(stableHeaders(Object.fromEntries(first.headers))).toEqual(stableHeaders(raw.headers));
      const bodies = [first, second].map(async (response) => Buffer.from(await response.arrayBuffer()));
      for (const body of await Promise.all(bodies)) expect(body.equals(raw.body)).toBe(true);
      for (const tag of [known, `W/${known}`, `"other", ${known}`]) {
        const more = { ...headers, "if-none-match": tag };
        const again = await app.request(baseUrl + path, { headers: { "user-agent": browser, ...more } });
        const directly = await send(path, more);
        expect([again.status, directly.status]).toEqual([304, 304]);
        expect(stableHeaders(directly.headers)).toEqual(stableHeaders(Object.fromEntries(again.headers)));
        expect([directly.body.length, await again.text()]).toEqual([0, ""]);
      }
      expect((await send(path, { ...headers, "if-none-match": '"other"' })).status).toBe(200);
      direct.length = 0;
    }
  });

  test("has a new request id each time, and the security headers", async () => {
    const { send } = await openProduct();
    const responses = [await send("/card/demo-card"), await send("/card/demo-card"), await send("/card/demo-card")];
    expect(new Set(responses.map(({ headers }) => headers["x-request-id"])).size).toBe(3);
    for (const { headers } of responses) {
      expect(headers["content-security-policy"]).toContain("default-src 'none'");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["set-cookie"]).toBeUndefined();
      expect(headers["cache-control"]).toBe("no-cache");
      expect(headers["vary"]).toBe("accept-encoding, cookie");
    }
  });

  test("counts each visit once, except HEAD, bots and prefetches", async () => {
    // Visits are counted by day: it may be midnight.
    const now = Date.now();
    const { send, services, direct } = await openProduct({ clock: () => now });
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

describe("a save", () => {
  test("drops all pages of its owner at each of their addresses, and no others", async () => {
    const { send, signedIn, pages } = await openProduct();
    const ada = await signedIn();
    const id = await userIdOf(ada);
    await ada.post("/profile", profileForm({ handle: "ada-l", displayName: "Before" }));
    const cardId = await makeCard(ada);
    const own = [`/u/${id}`, "/u/ada-l", `/card/${cardId}`];
    const read = async (path: string) => (await send(path)).body.toString();
    for (const path of [...own, "/card/demo-card"]) await read(path);
    expect(pages.size().pages).toBe(own.length + 1);
    const saves: [string, () => Promise<Response>][] = [
      [
        "By profile",
        () => ada.post("/profile", profileForm({ handle: "ada-l", displayName: "By profile", version: "2" })),
      ],
      ["By dialog", () => ada.post(`/cards/${cardId}/details`, { display_name: "By dialog" })],
    ];
    for (const [name, save] of saves) {
      expect((await save()).status).toBeLessThan(400);
      expect(pages.size().pages).toBe(1);
      for (const path of own) expect(await read(path), path).toContain(name);
    }
    await ada.post(`/cards/${cardId}/delete`, {});
    expect((await send(`/card/${cardId}`)).status).toBe(404);
  });

  test("drops nothing when it is refused", async () => {
    const { send, signedIn, pages } = await openProduct();
    const ada = await signedIn();
    const id = await userIdOf(ada);
    await send(`/u/${id}`);
    await ada.post("/profile", profileForm({ displayName: "x".repeat(51) }));
    expect(pages.size().pages).toBe(1);
  });
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

test("errors, refusals and redirects are not cached", async () => {
  const { send, signedIn, pages } = await openProduct();
  const ada = await signedIn();
  await userIdOf(ada);
  await ada.post("/profile", profileForm({ handle: "ada-l" }));
  for (const path of [
    "/card/unknown",
    "/u/nobody",
    "/u/ADA-L",
    "/nowhere",
    "/auth",
    "/contact",
    "/card/demo-card.data",
    "/healthz",
  ])
    await send(path);
  await send("/card/demo-card", {}, "HEAD");
  await send("/card/demo-card", {}, "POST");
  expect(pages.size().pages).toBe(0);
});

test("a page is cached at its canonical path only", async () => {
  const { send, pages, direct } = await openProduct();
  const odd = [
    "/u/demo-user/",
    "/U/demo-user",
    "/u/%64emo-user",
    "//u/demo-user",
    "/u/demo-user//",
    "/card/demo-card/",
  ];
  for (const path of odd) {
    await send(path);
    await send(path);
  }
  expect(pages.size().pages).toBe(0);
  expect(direct).toEqual([]);
  expect((await send("/u/demo-user/")).body.toString()).toContain(
    'rel="canonical" href="http://localhost:3000/u/demo-user"',
  );
});

describe("a link with a schedule", () => {
  test("appears and disappears on time, from the raw listener and from the app, with a new ETag", async () => {
    const time = { now: Date.UTC(2026, 10, 24, 8) };
    const { app, send, pages, direct, signedIn } = await openProduct({ clock: () => time.now });
    const ada = await signedIn();
    const path = `/u/${await userIdOf(ada)}`;
    const [from, until] = [time.now + 20_000, time.now + 40_000];
    await ada.post("/profile", profileForm({}, [{ label: "Sale", url: "https://sale.example", from, until }]));

    const ways = {
      direct: async (headers: Record<string, string>) => {
        const { status, headers: responseHeaders, body } = await send(path, headers);
        return { status, etag: String(responseHeaders["etag"]), hasLink: body.toString().includes("sale.example") };
      },
      whole: async (headers: Record<string, string>) => {
        const response = await app.request(baseUrl + path, { headers: { "user-agent": browser, ...headers } });
        const hasLink = (await response.text()).includes("sale.example");
        return { status: response.status, etag: String(response.headers.get("etag")), hasLink };
      },
    };
    const start = time.now;
    for (const [name, read] of Object.entries(ways)) {
      time.now = start;
      pages.dropAll();
      let known = (await read({})).etag;
      for (const [now, hasLink] of [
        [from - 1, false],
        [from, true],
        [until - 1, true],
        [until, false],
      ] as const) {
        time.now = now;
        const isNew = now === from || now === until;
        const response = await read({ "if-none-match": known });
        expect(response.status, `${name} at ${now - start}`).toBe(isNew ? 200 : 304);
        if (isNew) expect(response.hasLink).toBe(hasLink);
        known = response.etag;
        direct.length = 0;
        expect(await read({})).toEqual({ status: 200, etag: known, hasLink });
        expect(direct).toEqual(name === "direct" ? [`200 ${path}`] : []);
      }
    }
  });
});

test("a page is cached once for all query strings", async () => {
  const { send, pages } = await openProduct();
  for (let n = 0; n < 50; n++) await send(`/card/demo-card?n=${n}`);
  expect(pages.size().pages).toBe(1);
});

/** The headers that are the same each time and don't belong to the connection. */
function stableHeaders(headers: IncomingHttpHeaders | Record<string, string>) {
  const own = ["x-request-id", "date", "connection", "keep-alive", "transfer-encoding"];
  return Object.entries(headers)
    .filter(([name]) => !own.includes(name))
    .toSorted(([one], [other]) => one.localeCompare(other));
}
