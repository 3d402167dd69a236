import { describe, expect, test } from "vitest";

import { callApi, createApiApp, giveKey } from "./api-app.ts";

const json = { "content-type": "application/json" };

describe("a request", () => {
  test("with a wrong body is refused with a problem document, and nothing is stored", async () => {
    const { call } = await createApiApp();
    const deep = `{"links":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    const cases: [string | Blob, Record<string, string>, number, string][] = [
      ["{", json, 400, "invalid_json"],
      [new Blob([Uint8Array.of(0x22, 0xff, 0x22)]), json, 400, "invalid_json"],
      ["[]", json, 400, "invalid_request"],
      ["null", json, 400, "invalid_request"],
      ['"text"', json, 400, "invalid_request"],
      [deep, json, 400, "invalid_request"],
      ['{"__proto__":{"isPublic":false}}', json, 400, "invalid_request"],
      ['{"constructor":1}', json, 400, "invalid_request"],
      ['{"yearsExperience":"5"}', json, 400, "invalid_request"],
      [JSON.stringify({ links: Array.from({ length: 100_000 }, () => ({})) }), json, 400, "invalid_request"],
      [JSON.stringify({ company: "e\u0301".repeat(400_000) }), json, 413, "too_large"],
      [JSON.stringify({ company: "e\u0301".repeat(100_000) }), json, 400, "invalid_request"],
      ["x".repeat(5_000_000), json, 413, "too_large"],
      ["cardName=x", { "content-type": "application/x-www-form-urlencoded" }, 415, "unsupported_media_type"],
      ["{}", { "content-type": "text/plain" }, 415, "unsupported_media_type"],
    ];
    for (const [body, headers, status, code] of cases) {
      const sent = await call("POST /cards", { body, headers });
      const name = `${status} ${code}: ${typeof body === "string" ? body.slice(0, 40) : "bytes"}`;
      expect([sent.status, sent.body.code], name).toEqual([status, code]);
      expect(sent.headers.get("content-type"), name).toBe("application/problem+json");
      expect(sent.body).toMatchObject({ type: "about:blank", status, requestId: expect.any(String) });
    }
    expect((await call("GET /cards")).body.data).toEqual([]);
  });

  test("that has a key twice is refused by name, wherever it is", async () => {
    const { call } = await createApiApp();
    const bodies = [
      String.raw`{"company":"A","company":"B"}`,
      String.raw`{"links":[{"name":"1","url":"a.example"},{"url":"a.example","url" : "b.example"}]}`,
      String.raw`{"company":"A","bio":"\\","comp\u0061ny":"B"}`,
    ];
    const refused = [];
    for (const body of bodies) refused.push((await call("POST /cards", { body })).body);
    expect(refused.map(({ status, code }) => [status, code])).toEqual(bodies.map(() => [400, "invalid_json"]));
    expect(refused.map(({ detail }) => /"[^"]*"/.exec(detail)?.[0])).toEqual([
      '"company"',
      '"url"',
      String.raw`"comp\u0061ny"`,
    ]);
    const once = String.raw`{"company":"\"url\":{ \\","links":[{"name":"company","url":"a.example"},{"name":"","url":"b.example"}]}`;
    expect((await call("POST /cards", { body: once })).status).toBe(201);
  });

  test("with a wrong query, id, path or method says so", async () => {
    const { call } = await createApiApp();
    const cases: [string, number, string][] = [
      ["GET /cards?limit=0", 400, "?limit"],
      ["GET /cards?limit=x", 400, "?limit"],
      ["GET /cards?limit=1&limit=2", 400, "?limit"],
      ["GET /cards?sort=name", 400, "?sort"],
      ["GET /cards/%00", 404, ""],
      ["GET /cards/%ff", 404, ""],
      ["GET /cards/..%2f..%2fprofile", 404, ""],
      ["GET /unknown", 404, ""],
      ["GET /cards/", 404, ""],
      ["PUT /cards", 405, ""],
      ["POST /profile", 405, ""],
    ];
    for (const [sent, status, pointer] of cases) {
      const answer = await call(sent);
      expect([answer.status, answer.body.errors?.[0].pointer ?? ""], sent).toEqual([status, pointer]);
    }
    expect((await call("PUT /cards")).headers.get("allow")).toBe("GET, HEAD, POST");
    const head = await call("HEAD /cards");
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  test("may come from any page with a key, and from none with a cookie", async () => {
    const product = await createApiApp();
    const { app, key, ada } = product;
    const origin = { origin: "https://elsewhere.example" };
    const preflight = await callApi(product, "OPTIONS //cards", {
      headers: { ...origin, "access-control-request-method": "POST" },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
    expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
    const sent = await callApi(product, "POST //cards", { key, body: {}, headers: origin });
    expect([sent.status, sent.headers.get("access-control-allow-origin")]).toEqual([201, "*"]);
    expect(sent.headers.get("access-control-expose-headers")).toContain("ETag");

    const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const withCookie = await app.request("http://localhost:3000/api/v1/cards", { headers: { cookie } });
    expect([withCookie.status, (await withCookie.json()).code]).toEqual([401, "missing_key"]);
    const foreign = await app.request("http://localhost:3000/cards", {
      method: "POST",
      headers: { cookie, ...origin, ...json },
      body: "{}",
    });
    expect(foreign.status).toBe(403);
  });

  test("does nothing when its key is revoked while the body arrives", async () => {
    const { app, key, call, services } = await createApiApp();
    const body = new ReadableStream(
      {
        async pull(controller) {
          await services.db.updateTable("api_key").set({ revoked_at: 1 }).execute();
          controller.enqueue(new TextEncoder().encode("{}"));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const init = { method: "POST", headers: { ...json, authorization: `Bearer ${key}` }, body, duplex: "half" };
    const sent = await app.request("http://localhost:3000/api/v1/cards", init);
    expect([sent.status, (await sent.json()).code]).toEqual([401, "revoked_key"]);
    await services.db.updateTable("api_key").set({ revoked_at: null }).execute();
    expect((await call("GET /cards")).body.data).toEqual([]);
  });

  test("needs a scope for what it does", async () => {
    const product = await createApiApp();
    const { key } = await giveKey(product, product.ada, { scopes: ["cards:read"] });
    expect((await callApi(product, "GET /cards", { key })).status).toBe(200);
    const refused = await callApi(product, "POST /cards", { key, body: {} });
    expect([refused.status, refused.body.code]).toEqual([403, "missing_scope"]);
    expect(refused.body.detail).toContain("cards:write");
  });

  test("of a key is one of 600 in a minute", async () => {
    let now = Date.now();
    const { call } = await createApiApp({ clock: () => now });
    const first = await call("GET /account");
    expect(first.headers.get("ratelimit-policy")).toBe('"default";q=600;w=60');
    expect(first.headers.get("ratelimit")).toBe('"default";r=599;t=60');
    for (let sent = 1; sent < 600; sent++) await call("GET /account");
    const refused = await call("GET /account");
    expect([refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([
      429,
      "rate_limited",
      "60",
    ]);
    now += 60_000;
    expect((await call("GET /account")).status).toBe(200);
  });
});

describe("an Idempotency-Key", () => {
  const headers = { "idempotency-key": "order-1" };

  test("repeats the first response for 24 hours, also of concurrent requests, and to its own key only", async () => {
    let now = Date.now();
    const product = await createApiApp({ clock: () => now });
    const { call } = product;
    const both = await Promise.all([1, 2].map(() => call("POST /cards", { body: { cardName: "A" }, headers })));
    const created = both.find(({ status }) => status === 201);
    for (const { status, body } of both) expect(body.code ?? status).toBe(status === 201 ? 201 : "conflict");
    const again = await call("POST /cards", { body: { cardName: "A" }, headers });
    expect([again.status, again.body, again.headers.get("etag")]).toEqual([201, created?.body, '"1"']);
    const other = await call("POST /cards", { body: { cardName: "B" }, headers });
    expect([other.status, other.body.code]).toEqual([422, "idempotency_mismatch"]);
    const eve = await giveKey(product, await product.signedIn("eve@example.com"));
    const hers = await callApi(product, "POST /cards", { key: eve.key, body: { cardName: "B" }, headers });
    expect(hers.status).toBe(201);
    now += 24 * 3_600_000;
    expect((await call("POST /cards", { body: { cardName: "B" }, headers })).body.code).toBe("plan_limit");
  });

  test("of a request whose process was killed runs again after a minute, and creates nothing twice", async () => {
    let now = Date.now();
    const { call, services } = await createApiApp({ clock: () => now });
    const created = await call("POST /cards", { body: {}, headers });
    // As if the program had ended before it stored the response.
    await services.db.updateTable("api_call").set({ status: null, body: "" }).execute();
    expect((await call("POST /cards", { body: {}, headers })).body.code).toBe("conflict");
    now += 60_000;
    const again = await call("POST /cards", { body: {}, headers });
    expect([again.status, again.body.id]).toEqual([201, created.body.id]);
    expect((await call("GET /cards")).body.data).toHaveLength(1);
  });

  test("of a request that failed may be used again", async () => {
    const { call } = await createApiApp();
    expect((await call("POST /cards", { body: { email: "x" }, headers })).status).toBe(400);
    expect((await call("POST /cards", { body: {}, headers })).status).toBe(201);
    expect((await call("POST /cards", { body: {}, headers: { "idempotency-key": " é" } })).status).toBe(400);
  });
});
