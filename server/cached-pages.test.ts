import { once } from "node:events";
import { createServer, request } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";

import { getRequestListener } from "@hono/node-server";
import { afterEach, describe, expect, test } from "vitest";

import { makeCard } from "#tests/support/cards.ts";
import { idOf, profileForm } from "#tests/support/profiles.ts";
import { createTestApp } from "#tests/support/test-app.ts";
import { createVisitor } from "#tests/support/visitor.ts";

import { createApp, pagesOf } from "./app.ts";
import { createPageListener } from "./cached-pages.ts";

const baseUrl = "http://localhost:3000";
const browser = "Mozilla/5.0 (iPhone) Safari/604.1";
const cookie = "meishi.session_token";

const toClose: (() => void)[] = [];
afterEach(() => {
  for (const close of toClose.splice(0)) close();
});

/** The product behind a real port, as main.ts puts it together: `short` is what the short way answered. */
async function openProduct({ clock }: { clock?: () => number } = {}) {
  const product = await createTestApp({ env: { DEMO: "on" }, ...(clock && { clock }) });
  const { services } = product;
  const pages = pagesOf(services);
  const app = await createApp(services, { pages });
  const short: string[] = [];
  const logHit = (hit: { path: string; status: number }) => short.push(`${hit.status} ${hit.path}`);
  const fromCache = createPageListener(pages, { counter: services.counter, logHit });
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => {
    if (!fromCache(incoming, outgoing)) void answer(incoming, outgoing);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  toClose.push(() => server.close());
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    askPort(port, { path, method, headers: { host: "localhost:3000", "user-agent": browser, ...headers } });
  return { ...product, app, pages, short, ask, person: () => createVisitor(app, baseUrl) };
}

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** As bytes: fetch would unpack them. */
async function askPort(
  port: number,
  options: { path: string; method: string; headers: Record<string, string> },
): Promise<Answer> {
  const sent = request({ port, host: "127.0.0.1", agent: false, ...options }).end();
  const [incoming] = await once(sent, "response");
  return { status: incoming.statusCode, headers: incoming.headers, body: await buffer(incoming) };
}

describe("a page from the cache", () => {
  const asks: [string, Record<string, string>][] = [
    ["as it is", {}],
    ["in gzip", { "accept-encoding": "gzip, deflate" }],
    ["in brotli", { "accept-encoding": "gzip, deflate, br, zstd" }],
    ["not in brotli", { "accept-encoding": "gzip;q=1.0, br;q=0" }],
    ["in something else", { "accept-encoding": "zstd, *" }],
  ];

  test.each(asks)("is the same %s by the short way as through the whole product", async (_, headers) => {
    const { app, ask, short } = await openProduct();
    for (const path of ["/card/demo-card", "/u/demo-user", "/card/demo-card?q&utm_source=x"]) {
      const [bare = ""] = path.split("?");
      const first = await app.request(baseUrl + path, { headers: { "user-agent": browser, ...headers } });
      const asked = await app.request(baseUrl + path, { headers: { "user-agent": browser, ...headers } });
      const known = String(asked.headers.get("etag"));
      const direct = await ask(path, headers);
      expect(short.splice(0)).toEqual([`200 ${bare}`]);
      expect(direct.status).toBe(asked.status);
      expect(said(direct.headers)).toEqual(said(Object.fromEntries(asked.headers)));
      expect(said(Object.fromEntries(first.headers))).toEqual(said(direct.headers));
      const bodies = [first, asked].map(async (answer) => Buffer.from(await answer.arrayBuffer()));
      for (const body of await Promise.all(bodies)) expect(body.equals(direct.body)).toBe(true);
      for (const tag of [known, `W/${known}`, `"other", ${known}`]) {
        const more = { ...headers, "if-none-match": tag };
        const again = await app.request(baseUrl + path, { headers: { "user-agent": browser, ...more } });
        const directly = await ask(path, more);
        expect([again.status, directly.status]).toEqual([304, 304]);
        expect(said(directly.headers)).toEqual(said(Object.fromEntries(again.headers)));
        expect([directly.body.length, await again.text()]).toEqual([0, ""]);
      }
      expect((await ask(path, { ...headers, "if-none-match": '"other"' })).status).toBe(200);
      short.length = 0;
    }
  });

  test("has a request id of its own each time, and the headers that keep a visitor safe", async () => {
    const { ask } = await openProduct();
    const answers = [await ask("/card/demo-card"), await ask("/card/demo-card"), await ask("/card/demo-card")];
    expect(new Set(answers.map(({ headers }) => headers["x-request-id"])).size).toBe(3);
    for (const { headers } of answers) {
      expect(headers["content-security-policy"]).toContain("default-src 'none'");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["set-cookie"]).toBeUndefined();
      expect(headers["cache-control"]).toBe("no-cache");
      expect(headers["vary"]).toBe("accept-encoding, cookie");
    }
  });

  test("is counted once each time, by the short way too, but for HEAD, robots and fetching ahead", async () => {
    // On one day: it may be midnight.
    const now = Date.now();
    const { ask, services, short } = await openProduct({ clock: () => now });
    for (let n = 0; n < 4; n++) await ask("/card/demo-card?q");
    expect(short).toHaveLength(3);
    expect((await ask("/card/demo-card?q", {}, "HEAD")).body).toHaveLength(0);
    await ask("/card/demo-card?q", { "user-agent": "Googlebot/2.1" });
    await ask("/card/demo-card?q", { "sec-purpose": "prefetch" });
    await services.counter.flush();
    const rows = await services.db.selectFrom("tally").select(["source", "n"]).execute();
    expect(rows).toEqual([{ source: "qr", n: 4 }]);
  });
});

describe("a save", () => {
  test("drops all pages of its owner at once, under each of their addresses, and nobody else's", async () => {
    const { ask, signedIn, pages } = await openProduct();
    const ada = await signedIn();
    const id = await idOf(ada);
    await ada.post("/profile", profileForm({ handle: "ada-l", displayName: "Before" }));
    const cardId = await makeCard(ada);
    const own = [`/u/${id}`, "/u/ada-l", `/card/${cardId}`];
    const read = async (path: string) => (await ask(path)).body.toString();
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
    expect((await ask(`/card/${cardId}`)).status).toBe(404);
  });

  test("that was refused drops nothing", async () => {
    const { ask, signedIn, pages } = await openProduct();
    const ada = await signedIn();
    const id = await idOf(ada);
    await ask(`/u/${id}`);
    await ada.post("/profile", profileForm({ displayName: "x".repeat(51) }));
    expect(pages.size().pages).toBe(1);
  });
});

describe("somebody with a session", () => {
  test("never gets a page from the cache, and leaves none in it", async () => {
    const { ask, signedIn, pages, short } = await openProduct();
    const ada = await signedIn();
    const id = await idOf(ada);
    const own = { cookie: `${cookie}=${ada.cookies.get(cookie)}` };
    const forged = { cookie: `other=1; ${cookie}=made-up` };
    expect((await ask(`/u/${id}`, own)).body.toString()).toContain("Edit Profile");
    await ask(`/u/${id}`, forged);
    expect(pages.size().pages).toBe(0);
    for (let n = 0; n < 2; n++) expect((await ask(`/u/${id}`)).body.toString()).not.toContain("Edit Profile");
    expect(short).toEqual([`200 /u/${id}`]);
    const page = await ask(`/u/${id}`, own);
    expect(page.body.toString()).toContain("Edit Profile");
    expect(page.headers["cache-control"]).toBe("private, no-cache");
    await ask(`/u/${id}`, forged);
    expect(short).toHaveLength(1);
  });
});

test("what is not found, refused or led on is never kept", async () => {
  const { ask, signedIn, pages } = await openProduct();
  const ada = await signedIn();
  await idOf(ada);
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
    await ask(path);
  await ask("/card/demo-card", {}, "HEAD");
  await ask("/card/demo-card", {}, "POST");
  expect(pages.size().pages).toBe(0);
});

test("a page is kept under its own address alone, however else it can be written", async () => {
  const { ask, pages, short } = await openProduct();
  const odd = [
    "/u/demo-user/",
    "/U/demo-user",
    "/u/%64emo-user",
    "//u/demo-user",
    "/u/demo-user//",
    "/card/demo-card/",
  ];
  for (const path of odd) {
    await ask(path);
    await ask(path);
  }
  expect(pages.size().pages).toBe(0);
  expect(short).toEqual([]);
  expect((await ask("/u/demo-user/")).body.toString()).toContain(
    'rel="canonical" href="http://localhost:3000/u/demo-user"',
  );
});

describe("a link with a schedule", () => {
  test("comes and goes at its moment, by the short way and through the whole product, with a new tag", async () => {
    const time = { now: Date.UTC(2026, 10, 24, 8) };
    const { app, ask, pages, short, signedIn } = await openProduct({ clock: () => time.now });
    const ada = await signedIn();
    const path = `/u/${await idOf(ada)}`;
    const [from, until] = [time.now + 20_000, time.now + 40_000];
    await ada.post("/profile", profileForm({}, [{ label: "Sale", url: "https://sale.example", from, until }]));

    const ways = {
      short: async (headers: Record<string, string>) => {
        const { status, headers: said, body } = await ask(path, headers);
        return { status, etag: String(said["etag"]), hasLink: body.toString().includes("sale.example") };
      },
      whole: async (headers: Record<string, string>) => {
        const answer = await app.request(baseUrl + path, { headers: { "user-agent": browser, ...headers } });
        const hasLink = (await answer.text()).includes("sale.example");
        return { status: answer.status, etag: String(answer.headers.get("etag")), hasLink };
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
        const answer = await read({ "if-none-match": known });
        expect(answer.status, `${name} at ${now - start}`).toBe(isNew ? 200 : 304);
        if (isNew) expect(answer.hasLink).toBe(hasLink);
        known = answer.etag;
        short.length = 0;
        expect(await read({})).toEqual({ status: 200, etag: known, hasLink });
        expect(short).toEqual(name === "short" ? [`200 ${path}`] : []);
      }
    }
  });
});

test("pages stay within their room, however many addresses are asked for", async () => {
  const { ask, pages } = await openProduct();
  for (let n = 0; n < 50; n++) await ask(`/card/demo-card?n=${n}`);
  expect(pages.size().pages).toBe(1);
});

/** Headers without what differs each time, or belongs to the connection. */
function said(headers: IncomingHttpHeaders | Record<string, string>) {
  const own = ["x-request-id", "date", "connection", "keep-alive", "transfer-encoding"];
  return Object.entries(headers)
    .filter(([name]) => !own.includes(name))
    .toSorted(([one], [other]) => one.localeCompare(other));
}
