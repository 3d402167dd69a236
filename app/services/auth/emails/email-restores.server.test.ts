import { sql } from "kysely";
import { expect, test } from "vitest";

import type { Db, Engine } from "#app/services/database/database.server.ts";
import { timeValue } from "#app/services/auth/user-rows.server.ts";
import { acceptCookies, adaCredentials, noCookies, openAccount } from "#tests/support/app/auth.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

const thief = "thief@example.com";

describeOnEachDatabase("undoing a change of the email", (makeDb, engine) => {
  /** Someone in Ada's browser changed her email. `undo` presses the link in the mail to her; `at` is a time relative to the change. */
  async function changeEmail() {
    const opened = await openAccount(makeDb, engine);
    const { auth, mails, headers, viewer, userId, lastToken } = opened;
    await auth.requestEmailChange({ userId, email: thief });
    acceptCookies(headers, await auth.confirmEmailChange({ token: lastToken("change-email"), viewer, headers }));
    const token = lastToken("email-changed");
    mails.length = 0;
    const undo = () => auth.restoreEmail({ token, headers: noCookies });
    return { ...opened, undo, at: (hours: number) => Date.now() + hours * 3_600_000 };
  }

  test("removes the passkeys and connected accounts of the day before the change and of later, and keeps older ones", async () => {
    const { auth, db, userId, undo, at, mails } = await changeEmail();
    await addPasskeys(db, userId, { old: at(-25), before: at(-23), later: at(1) });
    await addConnections({ db, engine }, userId, { spotify: at(-25), github: at(-1), google: at(2) });
    expect(await undo()).toMatchObject({ kind: "restored" });
    expect(await listColumn(db, "passkey", "id")).toEqual(["old"]);
    expect(await listColumn(db, "account", "providerId")).toEqual(["credential", "spotify"]);
    const removed = [
      { kind: "passkey", name: "before" },
      { kind: "passkey", name: "later" },
      { kind: "connection", name: "GitHub" },
      { kind: "connection", name: "Google" },
    ];
    expect(mails).toEqual([
      { kind: "email-restored", to: adaCredentials.email, removed: expect.arrayContaining(removed) },
      { kind: "email-change-undone", to: thief },
    ]);
    const events = await auth.securityEvents.list({ ownerId: userId, limit: 10 });
    const logged = [/^email-restored/, /^factor-removed passkey later$/, /^account-unlinked GitHub$/];
    for (const line of logged)
      expect(events.map(({ event, detail }) => `${event} ${detail}`)).toContainEqual(expect.stringMatching(line));
  });

  test("removes an authenticator app that replaced an older one, and the backup codes made since", async () => {
    const { auth, db, userId, undo, at, mails } = await changeEmail();
    await addSecondFactor(db, userId, { enabledAt: at(-500), codes: 3 });
    await addPasskeys(db, userId, { old: at(-500) });
    for (const event of ["factor-added", "backup-codes-made"] as const)
      await auth.recordSecurityEvent(db, { ownerId: userId, event, detail: "app", origin: undefined });
    await undo();
    expect(await auth.findFactors(userId)).toEqual({ isOn: true, hasApp: false, passkeyCount: 1, codesLeft: 0 });
    expect(mails[0]).toMatchObject({ removed: [{ kind: "app" }, { kind: "backup-codes" }] });
  });

  test("keeps an older authenticator app with its backup codes, but no key that waits to be set up", async () => {
    const { auth, db, userId, undo, at, mails } = await changeEmail();
    await addSecondFactor(db, userId, { enabledAt: at(-500), codes: 3 });
    await db.updateTable("second_factor").set({ pending_secret: "a thief's" }).execute();
    await undo();
    expect(await auth.findFactors(userId)).toEqual({ isOn: true, hasApp: true, passkeyCount: 0, codesLeft: 3 });
    expect(await listColumn(db, "second_factor", "pending_secret")).toEqual([null]);
    expect(mails[0]).toMatchObject({ kind: "email-restored", removed: [] });
  });

  test("turns two-step verification off where no factor is left, so that the owner gets in", async () => {
    const { auth, db, userId, undo, at, signIn } = await changeEmail();
    await addSecondFactor(db, userId, { enabledAt: at(-500), codes: 3, hasApp: false });
    await addPasskeys(db, userId, { later: at(1) });
    const restored = await undo();
    expect(await auth.findFactors(userId)).toEqual({ isOn: false, hasApp: false, passkeyCount: 0, codesLeft: 0 });
    const token = restored.kind === "restored" ? restored.resetToken : "";
    await auth.resetPassword({ token, password: "a new one for Ada", headers: noCookies });
    expect(await signIn({ password: "a new one for Ada" })).toMatchObject({ kind: "signed-in" });
  });

  test("ends sessions, waiting sign-ins and codes, trusts no browser, and forgets those that are new", async () => {
    const { auth, db, headers, userId, undo, at } = await changeEmail();
    await auth.sendIdentityCode(userId);
    const challenge = { token_hash: "x", owner_id: userId, method: "password", expires_at: at(1) };
    await db.insertInto("sign_in_challenge").values(challenge).execute();
    const browser = { owner_id: userId, browser: "Firefox", seen_at: at(0), trusted_until: at(600) };
    const rows = [
      { ...browser, token_hash: "old", created_at: at(-500) },
      { ...browser, token_hash: "new", created_at: at(-2) },
    ];
    await db.insertInto("known_device").values(rows).execute();
    await undo();
    expect((await auth.findViewer(headers)).viewer).toBeUndefined();
    for (const table of ["sign_in_challenge", "identity_code"] as const)
      expect(await listColumn(db, table, "owner_id")).toEqual([]);
    expect(await db.selectFrom("known_device").select(["token_hash", "trusted_until"]).execute()).toEqual([
      { token_hash: "old", trusted_until: 0 },
    ]);
  });
});

async function addPasskeys(db: Db, owner_id: string, times: Record<string, number>) {
  const passkey = { owner_id, public_key: "x", counter: 0, transports: "[]", is_synced: 0 as const };
  for (const [id, created_at] of Object.entries(times))
    await db
      .insertInto("passkey")
      .values({ ...passkey, id, credential_id: id, name: id, created_at })
      .execute();
}

type Database = { db: Db; engine: Engine };

async function addConnections({ db, engine }: Database, userId: string, times: Record<string, number>) {
  for (const [id, ms] of Object.entries(times)) {
    const time = timeValue(engine, ms);
    await sql`insert into account (id, "accountId", "providerId", "userId", "createdAt", "updatedAt")
      values (${id}, ${id}, ${id}, ${userId}, ${time}, ${time})`.execute(db);
  }
}

type Factor = { enabledAt: number; codes: number; hasApp?: boolean };

async function addSecondFactor(db: Db, owner_id: string, { enabledAt, codes, hasApp = true }: Factor) {
  const row = { owner_id, enabled_at: enabledAt, totp_secret: hasApp ? "encrypted" : null };
  await db.insertInto("second_factor").values(row).execute();
  const rows = Array.from({ length: codes }, (_, n) => ({ owner_id, code_hash: `${n}` }));
  await db.insertInto("backup_code").values(rows).execute();
}

async function listColumn(db: Db, table: string, column: string): Promise<unknown[]> {
  const { rows } = await sql<{ value: unknown }>`select ${sql.ref(column)} as value from ${sql.table(table)}
    order by ${sql.ref(column)}`.execute(db);
  return rows.map(({ value }) => value);
}
