import { expect, test } from "vitest";

import { createSecurityEvents } from "#app/services/auth/audit/security-events.server.ts";
import { createAuthTables, createBetterAuth } from "#app/services/auth/better-auth.server.ts";
import { createDevices } from "#app/services/auth/sessions/devices.server.ts";
import { signInMethods } from "#app/services/auth/sessions/session-rows.server.ts";
import { createSignIns } from "#app/services/auth/sessions/sign-ins.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { createPasswordHashes } from "#app/services/auth/passwords/password-hashes.server.ts";
import { insertUser } from "#tests/support/database/seed.ts";
import pino from "pino";

describeOnEachDatabase("an account with two-step verification", (makeDb, engine) => {
  async function open({ skipsTwoStepAfterSso = false } = {}) {
    const db = await makeDb();
    await createAuthTables(db, engine);
    await insertUser(db, engine);
    await db.insertInto("second_factor").values({ owner_id: "ada", enabled_at: 1 }).execute();
    const secret = "0123456789abcdefghijklmnopqrstuv";
    const auth = createBetterAuth({
      db,
      engine,
      baseUrl: "http://localhost:3000",
      secret,
      log: pino({ level: "silent" }),
      passwords: createPasswordHashes(),
    });
    const devices = createDevices({ isSecure: false });
    const securityEvents = createSecurityEvents({ db, secret });
    const enqueueMail = async () => undefined;
    const deps = { auth, engine, isSecure: false, devices, securityEvents, enqueueMail };
    return { db, signIns: createSignIns({ ...deps, skipsTwoStepAfterSso }) };
  }

  test.each(signInMethods.filter((method) => method !== "passkey"))("is asked for it after %s", async (method) => {
    const { db, signIns } = await open();
    const proof = { userId: "ada", method, origin: { headers: new Headers() } };
    const outcome = await transact(db, (trx) => signIns.completeSignIn(trx, proof));
    expect(outcome.kind).toBe("second-factor");
    expect(
      await db
        .selectFrom("session" as "setting")
        .selectAll()
        .execute(),
    ).toEqual([]);
  });

  test.each(signInMethods.filter((method) => method !== "passkey"))(
    "with a provider of single sign-on that asks for it itself, is asked after %s unless that is single sign-on",
    async (method) => {
      const { db, signIns } = await open({ skipsTwoStepAfterSso: true });
      const proof = { userId: "ada", method, origin: { headers: new Headers() } };
      const outcome = await transact(db, (trx) => signIns.completeSignIn(trx, proof));
      expect(outcome.kind).toBe(method === "sso" ? "signed-in" : "second-factor");
    },
  );

  test("isn't asked for it after a passkey, which is both", async () => {
    const { db, signIns } = await open();
    const proof = { userId: "ada", method: "passkey" as const, origin: { headers: new Headers() } };
    expect((await transact(db, (trx) => signIns.completeSignIn(trx, proof))).kind).toBe("signed-in");
  });
});
