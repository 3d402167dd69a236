import { expect, test } from "vitest";

import type { Auth } from "#app/services/auth/auth.server.ts";
import { advanceClock, cookieHeaders, noCookies, openAccount } from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { openWallet } from "#tests/support/providers/ethereum-wallet.ts";
import type { EthereumWallet } from "#tests/support/providers/ethereum-wallet.ts";

/** What the browser sends after the wallet has signed. */
async function sign(auth: Auth, wallet: EthereumWallet, userId?: string) {
  const asked = await auth.askWallet({ address: wallet.address, userId });
  if (!asked) throw new Error("no message");
  return { signature: wallet.personalSign(asked.message), headers: cookieHeaders({ kind: "asked", ...asked }) };
}

describeOnEachDatabase("a wallet", (makeDb, engine) => {
  async function openWithAccounts() {
    const opened = await openAccount(makeDb, engine, { web3SignIn: true });
    const { auth, lastToken, userId: ada } = opened;
    await auth.signUp({ email: "eve@example.com", password: "a cup of tea" });
    await auth.confirm({ headers: noCookies, token: lastToken(), viewer: undefined });
    return { ...opened, ada, eve: (await auth.findUserId("eve@example.com")) ?? "" };
  }

  test("signs in once with each message, even in twenty requests at once", async () => {
    const { auth, ada } = await openWithAccounts();
    const wallet = openWallet();
    const connected = await auth.connectWallet({ userId: ada, ...(await sign(auth, wallet, ada)) });
    expect(connected.kind).toBe("connected");
    const signed = await sign(auth, wallet);
    const results = await Promise.all(Array.from({ length: 20 }, () => auth.signInWithWallet(signed)));
    expect(results.filter(({ kind }) => kind === "signed-in")).toEqual([expect.objectContaining({ userId: ada })]);
    expect(results.filter(({ kind }) => kind === "refused")).toHaveLength(19);
  });

  test("is connected to one of two users who do it at once", async () => {
    const { auth, ada, eve } = await openWithAccounts();
    const wallet = openWallet();
    const [ofAda, ofEve] = [await sign(auth, wallet, ada), await sign(auth, wallet, eve)];
    const results = await Promise.all([
      auth.connectWallet({ userId: ada, ...ofAda }),
      auth.connectWallet({ userId: eve, ...ofEve }),
    ]);
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(["connected", "connected-elsewhere"]);
  });

  test("has ten minutes to sign, and is not asked for what is no address", async () => {
    const { auth, ada } = await openWithAccounts();
    const signed = await sign(auth, openWallet(), ada);
    advanceClock({ hours: 10 / 60 });
    expect(await auth.connectWallet({ userId: ada, ...signed })).toEqual({ kind: "refused" });
    expect(await auth.findWallet(ada)).toBeUndefined();
    for (const address of ["", "ada.eth", "0x\nChain ID: 5"]) expect(await auth.askWallet({ address })).toBeUndefined();
  });
});
