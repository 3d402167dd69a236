import { expect, test } from "vitest";

import { adaCredentials, makeAccount, noCookies, openAuth } from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

describeOnEachDatabase("session tokens", (makeDb, engine) => {
  test("have at least 128 random bits, and none repeats", async () => {
    const { auth, mails } = await openAuth(makeDb, engine);
    await makeAccount(auth, mails);
    const tokens: string[] = [];
    for (let count = 0; count < 20; count++) {
      const signedIn = await auth.signIn({ ...adaCredentials, headers: noCookies, address: "192.0.2.1" });
      if (signedIn.kind !== "signed-in") throw new Error(signedIn.kind);
      const cookie = signedIn.cookies.find((line) => line.startsWith("meishi.session_token=")) ?? "";
      tokens.push(decodeURIComponent(/=([^;]+)/.exec(cookie)?.[1] ?? "").split(".")[0] ?? "");
    }
    expect(new Set(tokens).size).toBe(20);
    for (const token of tokens) {
      // Six bits a character.
      expect(token).toMatch(/^[\w-]{22,}$/);
      // Random text of this length has more than ten different characters.
      expect(new Set(token).size).toBeGreaterThan(10);
    }
  });
});
