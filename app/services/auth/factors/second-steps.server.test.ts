import pino from "pino";
import { expect, test } from "vitest";

import { createAuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { createAuthTables } from "#app/services/auth/better-auth.server.ts";
import { signInMethods } from "#app/services/auth/sessions/session-rows.server.ts";
import { completeSignIn } from "#app/services/auth/sessions/sign-ins.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import { selectAll } from "#tests/support/database/account-rows.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { insertUser } from "#tests/support/database/seed.ts";

describeOnEachDatabase("an account with two-step verification", (makeDb, engine) => {
  async function open({ skipsTwoStepAfterSso = false } = {}) {
    const db = await makeDb();
    await createAuthTables(db, engine);
    await insertUser(db, engine);
    await db.insertInto("second_factor").values({ owner_id: "ada", enabled_at: 1 }).execute();
    const deps = createAuthDeps({
      db,
      engine,
      config: { baseUrl: "http://localhost:3000" },
      secret: "0123456789abcdefghijklmnopqrstuv",
      log: pino({ level: "silent" }),
      enqueueMail: async () => undefined,
      enqueueImage: async () => undefined,
    });
    const complete = async (method: (typeof signInMethods)[number]) => {
      const proof = { userId: "ada", method, origin: { headers: new Headers() } };
      return (await transact(db, (trx) => completeSignIn({ ...deps, skipsTwoStepAfterSso }, trx, proof))).kind;
    };
    return { db, complete };
  }

  test("is asked for it after every method but a passkey, which is both", async () => {
    const { db, complete } = await open();
    for (const method of signInMethods)
      if (method !== "passkey") expect(await complete(method), method).toBe("second-factor");
    expect(await selectAll({ db }, "session")).toEqual([]);
    expect(await complete("passkey")).toBe("signed-in");
  });

  test("isn't asked after single sign-on whose provider asks for it itself, and is after the others", async () => {
    const { complete } = await open({ skipsTwoStepAfterSso: true });
    for (const method of signInMethods)
      expect(await complete(method), method).toBe(/sso|passkey/.test(method) ? "signed-in" : "second-factor");
  });
});
