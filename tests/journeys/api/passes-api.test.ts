import { z } from "zod";
import { describe, expect, test } from "vitest";

import { makePremium } from "#tests/support/app/profiles.ts";
import { plainImage, uploadFile } from "#tests/support/app/uploads.ts";
import { openUpdatedApp, readPassJson } from "#tests/support/fixtures/wallet/updated-app.ts";

import { callApi, createApiApp, giveKey } from "./api-app.ts";

type Send = Parameters<typeof callApi>[2];

async function createCardApp() {
  const product = await createApiApp();
  const { body } = await product.call("POST /cards", { body: { company: "Engines" } });
  return { ...product, id: String(body.id), path: `/cards/${body.id}/pass` };
}

const back = z.object({
  eventTicket: z.looseObject({ backFields: z.array(z.looseObject({ key: z.string(), label: z.string().optional() })) }),
});

describe("the pass of a card in the API", () => {
  test("is changed as the pass file then shows, and its state is that of the phones that have it", async () => {
    const app = await openUpdatedApp();
    const { key } = await giveKey(app, app.ada);
    const call = (sent: string, more?: Send) => callApi(app, sent, { key, ...more });
    const links = [{ name: "Talk", url: "https://ada.example/talk" }];
    const { links: stored } = (await call(`GET /cards/${app.id}`)).body;
    await call(`PATCH /cards/${app.id}`, { body: { links: [...stored, ...links] } });
    await app.device(1).add(app.pass);
    await app.runJobs();
    const before = await call(`GET /cards/${app.id}/pass`);
    expect([before.headers.get("etag"), before.body.updatedAt]).toEqual(['"0"', null]);
    expect(before.body.apple).toMatchObject({ isSetUp: true, isIssued: true, devices: 1, problem: null });
    expect(before.body.apple.url).toBe(`https://localhost:3000${app.path}`);
    expect(before.body.google).toMatchObject({ isSetUp: false, isIssued: false, url: null });

    const [notes, talk] = before.body.design.linkOrder;
    const design = { background: "default:moon", logo: "none", showsPhone: false, linkOrder: [talk, talk, "unknown"] };
    const changed = await call(`PATCH /cards/${app.id}/pass`, { body: design, headers: { "if-match": '"0"' } });
    expect([changed.status, changed.headers.get("etag")]).toEqual([200, '"1"']);
    expect(changed.body.design).toEqual({ ...before.body.design, ...design, linkOrder: [talk, notes] });
    await app.runJobs();
    const file = new Uint8Array(await (await app.visitor().get(app.path)).arrayBuffer());
    const { eventTicket } = back.parse(readPassJson(file));
    expect(JSON.stringify(eventTicket)).not.toContain("7946");
    expect(eventTicket.backFields.filter(({ key }) => key.startsWith("link-")).map(({ label }) => label)).toEqual([
      "Talk",
      "Notes",
    ]);
    const page = await (await app.ada.get(`/cards/${app.id}/pass`)).text();
    expect(/<input[^>]*value="default:moon"[^>]*>/.exec(page)?.[0]).toContain("checked");
    // The version is the same as after the change, but the phone has been notified since.
    const { body, status } = await call(`GET /cards/${app.id}/pass`, { headers: { "if-none-match": '"1"' } });
    expect([status, body.version, body.apple.pushedAt]).toEqual([200, 1, expect.stringMatching(/Z$/)]);
    expect(body.apple.pushedAt >= body.apple.changedAt).toBe(true);

    await call(`PATCH /cards/${app.id}`, { body: { isPaused: true } });
    const paused = await call(`GET /cards/${app.id}/pass`);
    expect([paused.body.voidReason, paused.body.apple.url]).toEqual(["Paused by you", null]);
  });

  test("has the checks of its form, and every wrong field is named", async () => {
    const { call, path } = await createCardApp();
    const wrong = { background: "default:nothing", tint: "red", logo: "own", showsEmail: 1, template: "x" };
    const { status, body } = await call(`PATCH ${path}`, { body: wrong });
    expect([status, body.code]).toEqual([400, "invalid_request"]);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
      "/background",
      "/logo",
      "/showsEmail",
      "/template",
      "/tint",
    ]);
    const foreign = await call(`PATCH ${path}`, { body: { logo: "asset:pass-assets/bob/logos/pass-a_1" } });
    expect([foreign.status, foreign.body.errors[0].pointer]).toEqual([400, "/logo"]);
    expect((await call(`PATCH ${path}`, { body: {} })).status).toBe(400);
    expect((await call(`GET ${path}`)).body.version).toBe(0);
  });

  test("has a tint and the owner's own images on Premium only, chosen from the library", async () => {
    const { call, path, services, ownerId, ada } = await createCardApp();
    const refused = await call(`PATCH ${path}`, { body: { tint: "#3A5F8C", showsPhone: false } });
    expect([refused.status, refused.body.code, refused.body.errors[0].pointer]).toEqual([403, "plan_limit", "/tint"]);
    expect((await call(`GET ${path}`)).body.design).toMatchObject({ tint: null, showsPhone: true });
    await makePremium(services, ownerId);
    const bytes = await plainImage(540, 660).png().toBuffer();
    await uploadFile(ada, "pass-background:a", { bytes, name: "Summer.png" });
    const [image] = (await call(`GET ${path}`)).body.library;
    expect(image).toMatchObject({ field: "background", name: "Summer" });
    const own = { background: image.value, tint: "#3A5F8C" };
    expect((await call(`PATCH ${path}`, { body: { ...own, logo: image.value } })).body.errors).toMatchObject([
      { pointer: "/logo" },
    ]);
    const changed = await call(`PATCH ${path}`, { body: own });
    expect(changed.body.design).toMatchObject({ background: image.value, tint: "#3a5f8c" });
    expect((await call(`PATCH ${path}`, { body: { tint: null } })).body.design.tint).toBeNull();
  });

  test("of two writers with one version, one is refused", async () => {
    const { call, path } = await createCardApp();
    const write = (background: string) =>
      call(`PATCH ${path}`, { body: { background }, headers: { "if-match": '"0"' } });
    const sent = await Promise.all(["default:moon", "default:rain"].map(write));
    expect(sent.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    const saved = sent.find(({ status }) => status === 200);
    expect((await call(`GET ${path}`)).body).toEqual(saved?.body);
  });

  test("is its owner's alone, and needs a scope", async () => {
    const product = await createCardApp();
    const { path, ada } = product;
    const eve = await giveKey(product, await product.signedIn("eve@example.com"));
    const reader = await giveKey(product, ada, { scopes: ["cards:read"] });
    const body = { showsPhone: false };
    for (const card of [path, "/cards/unknown/pass"]) {
      expect((await callApi(product, `GET ${card}`, { key: eve.key })).status).toBe(404);
      expect((await callApi(product, `PATCH ${card}`, { key: eve.key, body })).status).toBe(404);
    }
    const refused = await callApi(product, `PATCH ${path}`, { key: reader.key, body });
    expect([refused.status, refused.body.code]).toEqual([403, "missing_scope"]);
    expect((await callApi(product, `GET ${path}`, { key: reader.key })).body.design.showsPhone).toBe(true);
  });
});
