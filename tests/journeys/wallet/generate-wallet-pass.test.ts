import { describe, expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { bearerOf, callFunction } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { checkPass } from "#tests/support/fixtures/wallet/check-pass.ts";
import { demoCertificates, walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";

const none = { success: false, passUrl: null, androidUrl: null, fallback: null, error: null, instructions: null };
const call = (caller: Visitor, id: string, headers: Record<string, string> = {}) =>
  callFunction(caller, `generate-wallet-pass?cardId=${encodeURIComponent(id)}`, { method: "GET", headers });

async function open(env: Record<string, string>) {
  const app = await createTestApp({ env });
  const ada = await app.signedIn();
  return { ...app, ada, id: await makeCard(ada) };
}

describe("generate-wallet-pass", () => {
  test("gives visitors, owners and programs the address of a good pass, which stays the same", async () => {
    const { ada, id, visitor } = await open(walletSettings);
    const { status, body, headers } = await call(visitor(), id);
    expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(body).toEqual({
      ...none,
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
    const expected = { status: 404, body: { ...none, error: "Card not found" } };
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
      ...none,
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

  test("refuses a wrong token, and another method", async () => {
    const { id, visitor } = await open(walletSettings);
    expect((await call(visitor(), id, { authorization: "Bearer wrong" })).status).toBe(401);
    expect((await callFunction(visitor(), `generate-wallet-pass?cardId=${id}`)).status).toBe(405);
  });
});
