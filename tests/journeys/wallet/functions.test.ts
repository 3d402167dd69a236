import { describe, expect, test } from "vitest";

import { findPassDesign } from "#app/features/wallet/data.server.ts";
import { makeCard, shortPathOf } from "#tests/support/app/cards.ts";
import { makePremium, userIdOf } from "#tests/support/app/profiles.ts";
import { createSignedInApp } from "#tests/support/app/test-app.ts";
import { plainImage, removeFile, uploadFile } from "#tests/support/app/uploads.ts";
import { bearerOf, callFunction } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { checkPass } from "#tests/support/fixtures/wallet/check-pass.ts";
import { demoCertificates, walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";
import { openGoogleWalletDouble } from "#tests/support/providers/google-wallet/wallet-double.ts";

const nothing = { success: false, passUrl: null, androidUrl: null, fallback: null, error: null, instructions: null };
const call = (caller: Visitor, id: string, headers: Record<string, string> = {}) =>
  callFunction(caller, `generate-wallet-pass?cardId=${encodeURIComponent(id)}`, { method: "GET", headers });

async function open(env: Record<string, string>) {
  const { ada, ...app } = await createSignedInApp({ env });
  return { ...app, ada, id: await makeCard(ada) };
}

describe("generate-wallet-pass", () => {
  test("gives visitors, owners and programs the address of a good pass, which stays the same", async () => {
    const { ada, id, visitor } = await open(walletSettings);
    const { status, body, headers } = await call(visitor(), id);
    expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(body).toEqual({
      ...nothing,
      success: true,
      passUrl: expect.stringMatching(/^http:\/\/localhost:3000\/c\/\w{7}\/pass\.pkpass$/),
    });
    expect((await call(ada, id)).body).toEqual(body);
    expect((await call(visitor(), id, bearerOf(ada))).body).toEqual(body);
    const file = await visitor().get(new URL(String(body["passUrl"])).pathname);
    const { problems } = await checkPass(new Uint8Array(await file.arrayBuffer()), demoCertificates.root);
    expect(problems).toEqual([]);
  });

  test("doesn't tell a private or paused card from an unknown one, even to its owner", async () => {
    const { ada, id, visitor, services } = await open(walletSettings);
    const expected = { status: 404, body: { ...nothing, error: "Card not found" } };
    for (const unknown of ["none", "", "../../etc/passwd", "a".repeat(500)])
      expect(await call(visitor(), unknown)).toMatchObject(expected);
    for (const change of [{ is_public: 0 }, { is_public: 1, is_paused: 1 }] as const) {
      await services.db.updateTable("card").set(change).where("id", "=", id).execute();
      for (const caller of [visitor(), ada]) expect(await call(caller, id)).toMatchObject(expected);
    }
  });

  test("without certificates gives the owner what a pass is made of, and tells others that there is none", async () => {
    const { ada, id, visitor, signedIn } = await open({});
    const refused = {
      ...nothing,
      error: "PassKit Template Required",
      // The message on the screen says that they are in the console.
      instructions: expect.stringContaining("docs/wallet.md describes each step"),
    };
    for (const other of [visitor(), await signedIn("eve@example.com")])
      expect(await call(other, id)).toMatchObject({ status: 404, body: refused });
    const { status, body } = await call(ada, id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: false,
      error: "PassKit integration failed. Downloaded pass structure for manual creation.",
      fallback: {
        passJson: { serialNumber: id, eventTicket: { primaryFields: [{ value: "ada" }] } },
        instructions: expect.stringContaining("docs/wallet.md"),
      },
    });
  });

  test("refuses a wrong token, and another method, but not a client's public key in place of a token", async () => {
    const { ada, id, visitor } = await open(walletSettings);
    const key = { apikey: "public-key", authorization: "Bearer public-key" };
    for (const caller of [visitor(), ada])
      expect(await call(caller, id, key)).toMatchObject({ status: 200, body: { success: true } });
    expect((await callFunction(ada, "check-subscription", { headers: key })).status).toBe(401);
    expect((await call(visitor(), id, { ...key, apikey: "another" })).status).toBe(401);
    expect((await call(visitor(), id, { authorization: "Bearer wrong" })).status).toBe(401);
    expect((await callFunction(visitor(), `generate-wallet-pass?cardId=${id}`)).status).toBe(405);
  });
});

const secret = "ada.private@example.com";
const none = "no-such-card";

/** Ada's private card with an uploaded background on its pass, on a site with both wallets. */
async function openPrivateCard() {
  const google = await openGoogleWalletDouble();
  const { ada, ...app } = await createSignedInApp({ env: { ...walletSettings, ...google.env } });
  await makePremium(app.services, await userIdOf(ada));
  const id = await makeCard(ada, { email: secret });
  const path = await shortPathOf(app.visitor(), id);
  const bytes = await plainImage(540, 660).png().toBuffer();
  const { keyPrefix } = await uploadFile(ada, "pass-background:a", { bytes, name: "Secret.png" });
  const background = `asset:${keyPrefix}`;
  expect((await ada.post(`/cards/${id}/pass`, { background, logo: "default", version: "0" })).status).toBe(302);
  await app.services.db.updateTable("card").set({ is_public: 0 }).where("id", "=", id).execute();
  const bob = await app.signedIn("bob@example.com");
  await makePremium(app.services, await userIdOf(bob));
  return { ...app, google, ada, bob, id, path, keyPrefix, ownCard: await makeCard(bob) };
}

test("every call with another owner's card gets the same response as with a card that doesn't exist, and changes nothing", async () => {
  const { bob, id, path, google, services, visitor } = await openPrivateCard();
  const imageUrl = "/pass-images/washi.jpg?v=1";
  const call = (caller: Visitor, name: string, input?: object) =>
    callFunction(caller, name, input ? { input } : { method: "GET" });
  const form = { background: "default:washi", logo: "", version: "1" };
  const calls: [name: string, send: (caller: Visitor, cardId: string, short: string) => Promise<unknown>][] = [
    ["generate-wallet-pass", (caller, cardId) => call(caller, `generate-wallet-pass?cardId=${cardId}`)],
    ["push-pass-update", (caller, cardId) => call(caller, "push-pass-update", { cardId, changedFields: [] })],
    ["tint-image", (caller, cardId) => call(caller, "tint-image", { imageUrl, tintColor: "#3a5f8c", cardId })],
    ["get-default-images", (caller, cardId) => call(caller, "get-default-images", { cardId })],
    ["the editor", (caller, cardId) => caller.get(`/cards/${cardId}/pass`)],
    ["the data of the editor", (caller, cardId) => caller.get(`/cards/${cardId}/pass.data`)],
    ["saving a design", (caller, cardId) => caller.post(`/cards/${cardId}/pass`, form)],
    [
      "saving a design in the dialog",
      (caller, cardId) => caller.post(`/cards/${cardId}/pass`, { ...form, from: "dialog" }),
    ],
    ["the page to share it", (caller, cardId) => caller.get(`/share/card/${cardId}`)],
    ["the dialog", (caller, cardId) => caller.get(`/cards/${cardId}/details.data`)],
    ["the Apple pass", (caller, cardId) => caller.get(`/card/${cardId}/pass.pkpass`)],
    ["the Apple pass at the short address", (caller, _, short) => caller.get(`${short}/pass.pkpass`)],
    ["Google Wallet", (caller, cardId) => caller.get(`/card/${cardId}/google-wallet`)],
    ["Google Wallet at the short address", (caller, _, short) => caller.get(`${short}/google-wallet`)],
    ["an image for Google", (caller, _, short) => caller.get(`${short}/google-wallet/hero.jpg`)],
  ];
  const seen = async (response: unknown, names: readonly string[]) => {
    const text = response instanceof Response ? await response.text() : JSON.stringify(response);
    const { status, headers } = response as { status: number; headers: Headers };
    const hidden = names.reduce((all, name) => all.replaceAll(name, "…"), text);
    // The id of the request, which differs.
    const same = hidden.replaceAll(/nonce="[^"]*"|\b[\da-f]{8}-[\da-z]{1,3}\b/g, "");
    const location = names.reduce((all, name) => all.replaceAll(name, "…"), headers.get("location") ?? "");
    return [status, location, same];
  };
  for (const caller of [bob, visitor()])
    for (const [name, send] of calls) {
      const foreign = await seen(await send(caller, id, path), [id, path]);
      // A message for the next page would be on it.
      caller.cookies.delete("meishi.toast");
      const missing = await seen(await send(caller, none, "/c/0000000"), [none, "/c/0000000"]);
      caller.cookies.delete("meishi.toast");
      expect(foreign, name).toEqual(missing);
      expect(JSON.stringify(foreign), name).not.toContain(secret);
    }
  expect(await findPassDesign(services.db, id)).toMatchObject({ background: { kind: "asset" } });
  expect(google.state.log).toEqual([]);
});

test("another owner's library can be neither listed, used, tinted nor changed", async () => {
  const { ada, bob, id, ownCard, keyPrefix = "", visitor, services } = await openPrivateCard();
  const page = await (await bob.get(`/cards/${ownCard}/pass.data`)).text();
  expect(page).not.toContain(keyPrefix);
  expect(await (await ada.get(`/cards/${id}/pass.data`)).text()).toContain(keyPrefix);
  for (const key of [keyPrefix, `${keyPrefix}/../x`, "../../secrets.json", "pass-assets/../resumes/x"]) {
    const design = { background: `asset:${key}`, logo: `asset:${key}`, version: "0" };
    expect((await bob.post(`/cards/${ownCard}/pass`, design)).status, key).toBe(422);
    const input = { imageUrl: `/files/${key}.jpg`, tintColor: "#3a5f8c", cardId: ownCard };
    expect((await callFunction(bob, "tint-image", { input })).status, key).toBe(400);
  }
  const bytes = await plainImage(4, 4).png().toBuffer();
  // The same slot is another image of Bob's own.
  expect((await uploadFile(bob, "pass-background:a", { bytes })).keyPrefix).not.toBe(keyPrefix);
  await removeFile(bob, "pass-background:a");
  await services.jobs.runDue();
  expect((await visitor().get(`/files/${keyPrefix}.jpg`)).status).toBe(200);
  expect(await findPassDesign(services.db, id)).toMatchObject({ background: { kind: "asset", key: keyPrefix } });
});
