import { describe, expect, test } from "vitest";

import { turnOnTwoStep } from "#tests/support/admin/operated-app.ts";
import { decodeToast, firstLink } from "#tests/support/app/responses.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { isSignedIn, locationOf, readPage } from "#tests/support/app/visitor.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { blockUser, changeAll, proveAgo, removePasswords } from "#tests/support/database/account-rows.ts";
import { openWallet } from "#tests/support/providers/ethereum-wallet.ts";
import type { EthereumWallet } from "#tests/support/providers/ethereum-wallet.ts";
import { listUsers } from "#tests/support/providers/provider-visits.ts";

const on = { WEB3_SIGN_IN: "on" };

const toastOf = (user: Pick<Visitor, "cookies">) => decodeToast(user.cookies.get("meishi.toast"));

/** The text that the wallet is asked to sign in this browser. */
async function askedMessage(user: Pick<Visitor, "post">, wallet: EthereumWallet, purpose = "sign-in") {
  const response = await user.post("/auth/wallet", { purpose, address: wallet.address });
  expect(response.status).toBe(200);
  return response.text();
}

async function connect(user: Pick<Visitor, "post">, wallet: EthereumWallet) {
  const signature = wallet.personalSign(await askedMessage(user, wallet, "connect"));
  return user.post("/account/wallet", { signature });
}

async function signIn(user: Pick<Visitor, "post">, wallet: EthereumWallet, path = "/auth/with-wallet") {
  return user.post(path, { signature: wallet.personalSign(await askedMessage(user, wallet)) });
}

async function openApp() {
  const { ada, ...app } = await createSignedInApp({ env: on });
  const wallet = openWallet();
  expect(locationOf(await connect(ada, wallet))).toBe("/account/connections");
  return { ...app, ada, wallet };
}

const findId = async ({ services }: Pick<TestApp, "services">) =>
  (await services.auth.findUserId("ada@example.com")) ?? "";

describe("a wallet", () => {
  test("is connected to an account, signs in to it, and is disconnected", async () => {
    const { ada, wallet, ...app } = await openApp();
    expect(toastOf(ada)).toMatchObject({ title: "Ethereum wallet connected", tone: "success" });
    expect(await app.mails("Ethereum wallet was connected")).toMatchObject([{ to: ada.email }]);
    expect(await readPage(ada, "/account/connections")).toMatch(/Ethereum wallet 0x\w{4}…\w{4}/);

    const browser = app.visitor();
    expect(locationOf(await signIn(browser, wallet, "/auth/with-wallet?returnTo=%2Fcards"))).toBe("/cards");
    expect(await isSignedIn(browser)).toBe(true);
    expect(await readPage(browser, "/account/sessions")).toContain("Ethereum wallet");

    const forwarded = await browser.post("/account/connections/wallet", { intent: "disconnect" });
    expect([forwarded.status, locationOf(forwarded)]).toEqual([307, "/account/wallet"]);
    const removed = await browser.post("/account/wallet", { intent: "disconnect" });
    expect(locationOf(removed)).toBe("/account/connections");
    expect(await app.mails("was disconnected from")).toMatchObject([{ to: ada.email }]);
    const events = await app.services.db.selectFrom("security_event").select(["event", "detail"]).execute();
    expect(events).toEqual(
      expect.arrayContaining([
        { event: "account-linked", detail: "Ethereum wallet" },
        { event: "signed-in", detail: "wallet" },
        { event: "account-unlinked", detail: "Ethereum wallet" },
      ]),
    );
    const late = await signIn(app.visitor(), wallet);
    expect([late.status, await late.text()]).toEqual([404, expect.stringContaining("This wallet is new here")]);
  });

  test("that no account has leads to a sign-up, after which it is connected", async () => {
    const app = await createTestApp({ env: on });
    const browser = app.visitor();
    const page = await (await signIn(browser, openWallet())).text();
    expect(page).toContain('href="/auth?tab=signup&amp;returnTo=%2Faccount%2Fwallet"');
    expect(await isSignedIn(browser)).toBe(false);
    expect(await listUsers(app.services)).toEqual([]);
    // The sign-in page has the link to wallets only for its script to show.
    const auth = await readPage(browser, "/auth?returnTo=%2Fcards");
    expect(auth).toMatch(/<a [^>]*href="\/auth\/with-wallet\?returnTo=%2Fcards"[^>]*hidden/);
  });

  test("is asked to sign for this site alone", async () => {
    const app = await createTestApp({ env: { ...on, BASE_URL: "https://cards.example.com" } });
    const message = await askedMessage(app.visitor(), openWallet());
    expect(message).toMatch(/^cards\.example\.com wants you to sign in with your Ethereum account:\n0x/);
    expect(message).toContain("\nURI: https://cards.example.com/auth/with-wallet\n");
  });

  test("gets around neither two-step verification nor a block of the account", async () => {
    const { wallet, ...app } = await openApp();
    const browser = app.visitor();
    await turnOnTwoStep(app, await findId(app));
    expect(locationOf(await signIn(browser, wallet))).toBe("/auth/verify");
    await blockUser(app.services, await findId(app));
    expect((await signIn(browser, wallet)).status).toBe(403);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test("belongs to one account, which has one", async () => {
    const { ada, wallet, ...app } = await openApp();
    const taken = await connect(await app.signedIn("eve@example.com"), wallet);
    const text = "connected to another account here";
    expect([taken.status, await taken.text()]).toEqual([409, expect.stringContaining(text)]);
    expect(await (await connect(ada, openWallet())).text()).toContain("Disconnect your current wallet first.");
    expect(locationOf(await connect(ada, wallet))).toBe("/account/connections");
  });

  test("is connected and disconnected only with a recent proof of identity, and stays while it is the only sign-in method", async () => {
    const { ada, wallet, services, visitor } = await openApp();
    await proveAgo(services, 11);
    for (const response of [
      await ada.post("/account/wallet", { intent: "connect" }),
      await ada.post("/account/wallet", { intent: "disconnect" }),
      await ada.get("/account/wallet"),
    ])
      expect(locationOf(response)).toBe("/account/verify?returnTo=%2Faccount%2Fwallet");
    await proveAgo(services, 0);
    await removePasswords(services);
    await ada.post("/account/wallet", { intent: "disconnect" });
    expect(toastOf(ada)).toMatchObject({ title: "You need another way to sign in first", tone: "error" });
    expect(locationOf(await signIn(visitor(), wallet))).toBe("/home");
  });
});

describe("a sign-in with a wallet is refused", () => {
  test("for another message, by another wallet and without a signature, and uses up the message", async () => {
    const { wallet, ...app } = await openApp();
    const signers: [string, (message: string) => string][] = [
      ["for another domain", (message) => wallet.personalSign(message.replace(/^[^ ]+/, "evil.example"))],
      ["with another nonce", (message) => wallet.personalSign(message.replace(/Nonce: \w+/, "Nonce: 12345678"))],
      ["until later", (message) => wallet.personalSign(message.replace(/Time: \d{4}/, "Time: 2099"))],
      ["by another wallet", (message) => openWallet().personalSign(message)],
      ["without a signature", () => ""],
    ];
    for (const [name, sign] of signers) {
      const browser = app.visitor();
      const message = await askedMessage(browser, wallet);
      const refused = await browser.post("/auth/with-wallet", { signature: sign(message) });
      expect(refused.status, name).toBe(400);
      expect(await refused.text()).toContain("The wallet couldn’t be checked");
      expect((await browser.post("/auth/with-wallet", { signature: wallet.personalSign(message) })).status).toBe(400);
      expect(await isSignedIn(browser)).toBe(false);
    }
  });

  test("in another browser than the one that asked", async () => {
    const { wallet, ...app } = await openApp();
    const signature = wallet.personalSign(await askedMessage(app.visitor(), wallet));
    const other = app.visitor();
    expect((await other.post("/auth/with-wallet", { signature })).status).toBe(400);
    await askedMessage(other, wallet);
    expect((await other.post("/auth/with-wallet", { signature })).status).toBe(400);
  });

  test("with a message that was signed to connect, and the other way round, and by what another user asked", async () => {
    const { ada, wallet, ...app } = await openApp();
    const toConnect = wallet.personalSign(await askedMessage(ada, wallet, "connect"));
    const browser = app.visitor();
    browser.cookies.set("meishi.wallet", ada.cookies.get("meishi.wallet") ?? "");
    expect((await browser.post("/auth/with-wallet", { signature: toConnect })).status).toBe(400);
    const toSignIn = wallet.personalSign(await askedMessage(ada, wallet));
    expect((await ada.post("/account/wallet", { signature: toSignIn })).status).toBe(400);

    const other = openWallet();
    const signature = other.personalSign(await askedMessage(ada, other, "connect"));
    const bob = await app.signedIn("bob@example.com");
    bob.cookies.set("meishi.wallet", ada.cookies.get("meishi.wallet") ?? "");
    expect((await bob.post("/account/wallet", { signature })).status).toBe(400);
  });

  test("after thirty refused signatures from a network", async () => {
    const app = await createTestApp({ env: on });
    const statuses = [];
    for (let attempt = 0; attempt < 31; attempt++)
      statuses.push((await app.visitor().post("/auth/with-wallet", { signature: "0x" })).status);
    expect(statuses.slice(-2)).toEqual([400, 429]);
  });
});

describe("without WEB3_SIGN_IN", () => {
  test.each([
    {},
    { ...on, OIDC_ISSUER: "https://id.example.com", OIDC_CLIENT_ID: "x", OIDC_CLIENT_SECRET: "y", OIDC_ONLY: "on" },
  ])("or with single sign-on alone, there are no wallets: %j", async (env) => {
    const app = await createTestApp({ env });
    expect(await readPage(app.visitor(), "/auth")).not.toMatch(/wallet/i);
    const form = { purpose: "sign-in", address: openWallet().address };
    for (const path of ["/auth/wallet", "/auth/with-wallet"])
      expect([403, 404], path).toContain((await app.visitor().post(path, form)).status);
    const ada = await app.signedIn();
    expect(await readPage(ada, "/account/connections")).not.toMatch(/Ethereum/);
    expect((await ada.get("/account/wallet")).status === 200).toBe(false);
  });

  test("an owner whose only sign-in method was the wallet gets in by a link in an email", async () => {
    const app = await createTestApp();
    const { email } = await app.signedIn();
    const accountId = openWallet().address;
    await changeAll(app.services, "account", { providerId: "wallet", accountId, password: null });
    const ada = app.visitor();
    await ada.post("/auth", { intent: "email-sign-in", email, password: "" });
    await ada.post(firstLink((await app.mails("Sign in to Meishi"))[0]?.text), {});
    expect(await isSignedIn(ada)).toBe(true);
  });
});
