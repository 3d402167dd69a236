import { describe, expect, test } from "vitest";

import { decodeToast, firstLink } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { openWallet, withHighS } from "#tests/support/providers/ethereum-wallet.ts";
import type { EthereumWallet } from "#tests/support/providers/ethereum-wallet.ts";

const on = { WEB3_SIGN_IN: "on" };

const location = (response: Response) => response.headers.get("location");
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

/** An account with a wallet. */
async function openApp(app?: TestApp, email?: string) {
  const opened = app ?? (await createTestApp({ env: on }));
  const ada = await opened.signedIn(email);
  const wallet = openWallet();
  expect(location(await connect(ada, wallet))).toBe("/account/connections");
  return { ...opened, opened, ada, wallet };
}

const isSignedIn = async (user: Pick<Visitor, "get">) => (await user.get("/account")).status === 200;

const idOf = async ({ services }: Pick<TestApp, "services">, { email }: { email: string }) =>
  (await services.auth.findUserId(email)) ?? "";

const listEvents = async ({ services }: Pick<TestApp, "services">) =>
  services.db.selectFrom("security_event").select(["event", "detail"]).execute();

describe("a wallet", () => {
  test("is connected to an account, signs in to it, and is disconnected", async () => {
    const { ada, wallet, ...app } = await openApp();
    expect(toastOf(ada)).toMatchObject({ title: "Ethereum wallet connected", tone: "success" });
    expect((await app.mails())[0]).toMatchObject({
      to: ada.email,
      subject: expect.stringMatching(/^Ethereum wallet was connected/),
    });
    expect(await (await ada.get("/account/connections")).text()).toMatch(/Ethereum wallet 0x\w{4}…\w{4}/);

    const browser = app.visitor();
    expect(location(await signIn(browser, wallet, "/auth/with-wallet?returnTo=%2Fcards"))).toBe("/cards");
    expect(await isSignedIn(browser)).toBe(true);
    expect(await (await browser.get("/account/sessions")).text()).toContain("Ethereum wallet");

    const { status, headers } = await browser.post("/account/connections/wallet", { intent: "disconnect" });
    expect([status, headers.get("location")]).toEqual([307, "/account/wallet"]);
    const removed = await browser.post("/account/wallet", { intent: "disconnect" });
    expect(location(removed)).toBe("/account/connections");
    expect((await app.mails())[0]).toMatchObject({ subject: expect.stringMatching(/disconnected from/) });
    expect(await listEvents(app)).toEqual(
      expect.arrayContaining([
        { event: "account-linked", detail: "Ethereum wallet" },
        { event: "signed-in", detail: "wallet" },
        { event: "account-unlinked", detail: "Ethereum wallet" },
      ]),
    );
    const late = await signIn(app.visitor(), wallet);
    expect(late.status).toBe(404);
    expect(await late.text()).toContain("This wallet is new here");
  });

  test("that no account has leads to a sign-up, after which it is connected", async () => {
    const app = await createTestApp({ env: on });
    const browser = app.visitor();
    const page = await (await signIn(browser, openWallet())).text();
    expect(page).toContain('href="/auth?tab=signup&amp;returnTo=%2Faccount%2Fwallet"');
    expect(await isSignedIn(browser)).toBe(false);
    expect(
      await app.services.db
        .selectFrom("user" as "setting")
        .selectAll()
        .execute(),
    ).toEqual([]);
  });

  test("is asked to sign for this site alone", async () => {
    const app = await createTestApp({ env: { ...on, BASE_URL: "https://cards.example.com" } });
    const message = await askedMessage(app.visitor(), openWallet());
    expect(message).toMatch(/^cards\.example\.com wants you to sign in with your Ethereum account:\n0x/);
    expect(message).toContain("\nURI: https://cards.example.com/auth/with-wallet\n");
  });

  test("doesn't get around two-step verification", async () => {
    const { ada, wallet, ...app } = await openApp();
    await app.services.db
      .insertInto("second_factor")
      .values({ owner_id: await idOf(app, ada), enabled_at: 1, totp_secret: "x" })
      .execute();
    const browser = app.visitor();
    expect(location(await signIn(browser, wallet))).toBe("/auth/verify");
    expect(await isSignedIn(browser)).toBe(false);
  });

  test("doesn't sign in to a blocked account", async () => {
    const { ada, wallet, ...app } = await openApp();
    await app.services.db
      .insertInto("account_block")
      .values({ owner_id: await idOf(app, ada), reason: "Spam", created_at: 1 })
      .execute();
    const browser = app.visitor();
    expect((await signIn(browser, wallet)).status).toBe(403);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test("belongs to one account, which has one", async () => {
    const { opened, ada, wallet } = await openApp();
    const eve = await opened.signedIn("eve@example.com");
    const taken = await connect(eve, wallet);
    expect([taken.status, await taken.text()]).toEqual([
      409,
      expect.stringContaining("connected to another account here"),
    ]);
    expect(await (await connect(ada, openWallet())).text()).toContain("Disconnect your current wallet first.");
    expect(location(await connect(ada, wallet))).toBe("/account/connections");
  });

  test("stays connected while it is the only way in", async () => {
    const { ada, wallet, ...app } = await openApp();
    await app.services.db
      .deleteFrom("account" as "setting")
      .where("providerId" as "name", "=", "credential")
      .execute();
    await ada.post("/account/wallet", { intent: "disconnect" });
    expect(toastOf(ada)).toMatchObject({ title: "You need another way to sign in first", tone: "error" });
    expect(location(await signIn(app.visitor(), wallet))).toBe("/profile");
  });

  test("is connected and disconnected only with a recent proof of identity", async () => {
    const { ada, ...app } = await openApp();
    await app.services.db
      .updateTable("session" as "setting")
      .set({ verifiedAt: 0 } as never)
      .execute();
    for (const intent of ["connect", "disconnect"])
      expect(location(await ada.post("/account/wallet", { intent }))).toBe(
        "/account/verify?returnTo=%2Faccount%2Fwallet",
      );
    expect(location(await ada.get("/account/wallet"))).toBe("/account/verify?returnTo=%2Faccount%2Fwallet");
  });
});

describe("a sign-in with a wallet is refused", () => {
  test.each<[string, (message: string, wallet: EthereumWallet) => string]>([
    ["for another domain", (message, wallet) => wallet.personalSign(message.replace(/^[^ ]+/, "evil.example"))],
    [
      "for another address of this site",
      (message, wallet) => wallet.personalSign(message.replace("/auth/with-wallet", "/auth")),
    ],
    ["for another chain", (message, wallet) => wallet.personalSign(message.replace("Chain ID: 1", "Chain ID: 137"))],
    ["with another nonce", (message, wallet) => wallet.personalSign(message.replace(/Nonce: \w+/, "Nonce: 12345678"))],
    [
      "with a later end",
      (message, wallet) => wallet.personalSign(message.replace(/Expiration Time: \d{4}/, "Expiration Time: 2099")),
    ],
    ["by another wallet", (message) => openWallet().personalSign(message)],
    ["with a malleable signature", (message, wallet) => withHighS(wallet.personalSign(message))],
    ["with a cut signature", (message, wallet) => wallet.personalSign(message).slice(0, -2)],
    ["with garbage", () => `0x${"ab".repeat(65)}`],
    ["with zeros", () => `0x${"00".repeat(65)}`],
    ["without a signature", () => ""],
  ])("%s, and uses up the message", async (_name, sign) => {
    const { wallet, ...app } = await openApp();
    const browser = app.visitor();
    const message = await askedMessage(browser, wallet);
    const refused = await browser.post("/auth/with-wallet", { signature: sign(message, wallet) });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("The wallet couldn&#x27;t be checked");
    expect((await browser.post("/auth/with-wallet", { signature: wallet.personalSign(message) })).status).toBe(400);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test("the second time with the same signature", async () => {
    const { wallet, ...app } = await openApp();
    const browser = app.visitor();
    const signature = wallet.personalSign(await askedMessage(browser, wallet));
    const cookie = browser.cookies.get("meishi.wallet") ?? "";
    await browser.post("/auth/with-wallet", { signature });
    const replay = app.visitor();
    replay.cookies.set("meishi.wallet", cookie);
    expect((await replay.post("/auth/with-wallet", { signature })).status).toBe(400);
    expect(await isSignedIn(replay)).toBe(false);
  });

  test("in another browser than the one that asked", async () => {
    const { wallet, ...app } = await openApp();
    const signature = wallet.personalSign(await askedMessage(app.visitor(), wallet));
    const other = app.visitor();
    expect((await other.post("/auth/with-wallet", { signature })).status).toBe(400);
    await askedMessage(other, wallet);
    expect((await other.post("/auth/with-wallet", { signature })).status).toBe(400);
  });

  test("after ten minutes", async () => {
    const { wallet, ...app } = await openApp();
    const browser = app.visitor();
    const signature = wallet.personalSign(await askedMessage(browser, wallet));
    await app.services.db
      .updateTable("verification" as "setting")
      .set({ expiresAt: new Date(Date.now() - 1000).toISOString() } as never)
      .execute();
    expect((await browser.post("/auth/with-wallet", { signature })).status).toBe(400);
  });

  test("with a message that was signed to connect, and the other way round", async () => {
    const { ada, wallet, ...app } = await openApp();
    const toConnect = wallet.personalSign(await askedMessage(ada, wallet, "connect"));
    const browser = app.visitor();
    browser.cookies.set("meishi.wallet", ada.cookies.get("meishi.wallet") ?? "");
    expect((await browser.post("/auth/with-wallet", { signature: toConnect })).status).toBe(400);
    const toSignIn = wallet.personalSign(await askedMessage(ada, wallet));
    expect((await ada.post("/account/wallet", { signature: toSignIn })).status).toBe(400);
  });

  test("by what another user asked to connect", async () => {
    const { opened, wallet } = await openApp();
    const eve = await opened.signedIn("eve@example.com");
    const other = openWallet();
    const signature = other.personalSign(await askedMessage(eve, other, "connect"));
    const bob = await opened.signedIn("bob@example.com");
    bob.cookies.set("meishi.wallet", eve.cookies.get("meishi.wallet") ?? "");
    expect((await bob.post("/account/wallet", { signature })).status).toBe(400);
    expect(wallet.address === other.address).toBe(false);
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
    const visitor = app.visitor();
    expect(await (await visitor.get("/auth")).text()).not.toMatch(/wallet/i);
    for (const path of ["/auth/wallet", "/auth/with-wallet"])
      expect([403, 404], path).toContain(
        (await visitor.post(path, { purpose: "sign-in", address: openWallet().address })).status,
      );
    const ada = await app.signedIn();
    expect(await (await ada.get("/account/connections")).text()).not.toMatch(/Ethereum/);
    expect((await ada.get("/account/wallet")).status === 200).toBe(false);
  });

  test("an owner whose only way in was the wallet gets in by a link in an email", async () => {
    const app = await createTestApp();
    const { email } = await app.signedIn();
    await app.services.db
      .updateTable("account" as "setting")
      .set({ providerId: "wallet", accountId: openWallet().address, password: null } as never)
      .execute();
    const ada = app.visitor();
    await ada.post("/auth", { intent: "email-sign-in", email, password: "" });
    const [mail] = await app.mails();
    const link = firstLink(mail?.text);
    await ada.post(link, {});
    expect(await isSignedIn(ada)).toBe(true);
  });
});

test("the sign-in page has the link to wallets only for its script to show", async () => {
  const page = await (await (await createTestApp({ env: on })).visitor().get("/auth?returnTo=%2Fcards")).text();
  expect(page).toMatch(/<a [^>]*href="\/auth\/with-wallet\?returnTo=%2Fcards"[^>]*hidden/);
});
