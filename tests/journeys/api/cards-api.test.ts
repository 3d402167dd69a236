import { describe, expect, test } from "vitest";

import { callApi, createApiApp, giveKey } from "./api-app.ts";
import { makePremium } from "#tests/support/app/profiles.ts";

async function createPremiumApp() {
  const product = await createApiApp();
  await makePremium(product.services, product.ownerId);
  return product;
}

describe("cards in the API", () => {
  test("are created, read, changed and deleted, as their page shows", async () => {
    const { call, visitor, ownerId } = await createApiApp();
    const links = [
      { label: "Site", url: "ada.example" },
      { name: "Mail", url: "mailto:ada@example.com" },
    ];
    const created = await call("POST //cards", {
      body: { userId: ownerId, cardName: "Work", company: "Engines", links },
    });
    expect([created.status, created.headers.get("location"), created.headers.get("etag")]).toEqual([
      201,
      `/api/v1/cards/${created.body.id}`,
      '"1"',
    ]);
    expect(created.body).toMatchObject({
      userId: ownerId,
      cardName: "Work",
      company: "Engines",
      phone: null,
      links: [{ name: "Site", url: "https://ada.example" }, { name: "Mail" }],
      isPublic: true,
      version: 1,
    });
    const path = `/cards/${created.body.id}`;
    const page = async () => (await visitor().get(new URL(created.body.url).pathname)).text();
    expect(await page()).toContain("Engines");

    const changed = await call(`PATCH ${path}`, {
      body: { company: null, phone: "+44 20 7946 0000", address: { city: "London" } },
      headers: { "if-match": '"1"' },
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ company: null, phone: "+44 20 7946 0000", version: 2, cardName: "Work" });
    expect(changed.body.address).toMatchObject({ city: "London", street: null });
    const stale = await call(`PATCH ${path}`, { body: { company: "Lost" }, headers: { "if-match": '"1"' } });
    expect([stale.status, stale.body.code]).toEqual([412, "version_conflict"]);
    expect(stale.headers.get("ratelimit")).toMatch(/^"default";r=\d+/);
    // As a client that accepts compressed responses reads it.
    const asRead = { "if-match": 'W/"2"' };
    expect((await call(`PATCH ${path}`, { body: { suffix: null }, headers: asRead })).body.version).toBe(3);
    expect((await call(`DELETE ${path}`, { headers: asRead })).status).toBe(412);
    expect((await call(`PATCH ${path}`, { body: { suffix: null }, headers: { "if-match": "3" } })).status).toBe(400);
    expect((await call(`GET ${path}`)).body).toMatchObject({ company: null, phone: "+44 20 7946 0000" });
    expect((await call(`GET ${path}`, { headers: { "if-none-match": 'W/"3"' } })).status).toBe(304);

    await call(`PATCH ${path}`, { body: { isPaused: true } });
    expect(await page()).not.toContain("7946");
    expect((await call(`DELETE ${path}`)).status).toBe(204);
    expect((await call(`GET ${path}`)).status).toBe(404);
  });

  test("name every wrong field with the form's texts, and change nothing", async () => {
    const { call } = await createApiApp();
    const { status, body } = await call("POST /cards", {
      body: {
        cardName: " ",
        email: "x",
        phones: [{ kind: "fax", value: "1" }],
        links: [{ url: "javascript:x" }],
        id: "1",
        nope: 1,
      },
    });
    expect([status, body.code]).toEqual([400, "invalid_request"]);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
      "/cardName",
      "/email",
      "/id",
      "/links/0/url",
      "/nope",
      "/phones/0/kind",
    ]);
    expect(body.errors).toContainEqual({ pointer: "/cardName", message: "Card name is required" });
    expect((await call("GET /cards")).body).toEqual({ data: [], nextCursor: null });
  });

  test("are read in pages", async () => {
    const { call } = await createPremiumApp();
    for (const cardName of ["One", "Two", "Three"]) await call("POST /cards", { body: { cardName } });
    const first = await call("GET /cards?limit=2");
    expect(first.body.data.map(({ cardName }: { cardName: string }) => cardName)).toEqual(["Three", "Two"]);
    const [, next] = /<\/api\/v1([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "") ?? [];
    const second = await call(`GET ${next}`);
    expect(second.body.data.map(({ cardName }: { cardName: string }) => cardName)).toEqual(["One"]);
    expect([second.body.nextCursor, second.headers.get("link")]).toEqual([null, null]);
    await call(`DELETE /cards/${first.body.nextCursor}`);
    expect((await call(`GET ${next}`)).body.errors[0].pointer).toBe("?cursor");
  });

  test("stay within the plan, however many are sent at once", async () => {
    const { call, services, ownerId } = await createApiApp();
    const sent = await Promise.all(Array.from({ length: 20 }, () => call("POST /cards", { body: {} })));
    expect(sent.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(19).fill(403)]);
    expect(sent.find(({ status }) => status === 403)?.body.code).toBe("plan_limit");
    const accent = await call(`PATCH /cards/${sent.find(({ status }) => status === 201)?.body.id}`, {
      body: { design: { accent: "#123456" } },
    });
    expect([accent.status, accent.body.code]).toEqual([403, "plan_limit"]);
    const links = Array.from({ length: 9 }, (_, n) => ({ url: `https://${n}.example` }));
    const path = `/cards/${sent.find(({ status }) => status === 201)?.body.id}`;
    const ninth = await call(`PATCH ${path}`, { body: { links } });
    expect([ninth.status, ninth.body.code, ninth.body.errors[0].pointer]).toEqual([403, "plan_limit", "/links"]);
    await makePremium(services, ownerId);
    expect((await call("POST /cards", { body: { design: { accent: "#123456" } } })).status).toBe(201);
    expect((await call(`PATCH ${path}`, { body: { links } })).body.links).toHaveLength(9);
  });

  test("of two writers with one version, one is refused", async () => {
    const { call } = await createApiApp();
    const { body } = await call("POST /cards", { body: {} });
    const write = (company: string) =>
      call(`PATCH /cards/${body.id}`, { body: { company }, headers: { "if-match": '"1"' } });
    const statuses = (await Promise.all([write("A"), write("B")])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 412]);
  });

  test("of another owner don't exist", async () => {
    const product = await createApiApp();
    const eve = await giveKey(product, await product.signedIn("eve@example.com"));
    const { body } = await product.call("POST /cards", { body: {} });
    for (const [method, sent] of [["GET"], ["PATCH", { company: "Mine" }], ["DELETE"]] as const) {
      const asEve = await callApi(product, `${method} /cards/${body.id}`, { key: eve.key, body: sent });
      const unknown = await callApi(product, `${method} /cards/unknown`, { key: eve.key, body: sent });
      expect([asEve.status, asEve.body.detail]).toEqual([404, unknown.body.detail]);
    }
    const foreign = await callApi(product, "POST /cards", { key: eve.key, body: { userId: product.ownerId } });
    expect([foreign.status, foreign.body.code]).toEqual([403, "wrong_owner"]);
    expect((await product.call(`GET /cards/${body.id}`)).body).toEqual(body);
  });
});
