import { randomUUID } from "node:crypto";

import { z } from "zod";

import { recordSecurityEvent } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { browserName } from "#app/services/auth/sessions/browser-name.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

import { makeChallenge, takeChallenge } from "./passkey-challenges.server.ts";
import {
  challengeOf,
  loadPasskeyLibrary,
  readRegistration,
  relyingPartyOf,
  verifyRegistration,
} from "./passkey-responses.server.ts";
import { findSecondFactor, renewOwnSession, reportChange } from "./second-factor-state.server.ts";
import type { OwnChange } from "./second-factor-state.server.ts";

/** Times are epoch milliseconds. */
export type Passkey = {
  id: string;
  name: string;
  isSynced: boolean;
  createdAt: number;
  lastUsedAt: number | undefined;
};

/** `response`: what the browser returned, as JSON. */
type Response = { response: string };

const maxPasskeys = 20;
const storedTransports = z.array(z.string());

/** Whether browsers can use passkeys here: WebAuthn needs a domain, not an IP address. */
export function canUsePasskeys({ baseUrl }: AuthDeps): boolean {
  return !/^\[|\.\d+$/.test(relyingPartyOf(baseUrl).id);
}

export async function listPasskeys({ db }: AuthDeps, userId: string): Promise<Passkey[]> {
  return (await findRows(db, userId)).map(toPasskey);
}

/** The options for `navigator.credentials.create`. */
export async function startPasskey(
  { db, baseUrl }: AuthDeps,
  { id, email }: { id: string; email: string },
): Promise<object> {
  const { generateRegistrationOptions } = await loadPasskeyLibrary();
  return generateRegistrationOptions({
    rpName: "Meishi",
    rpID: relyingPartyOf(baseUrl).id,
    userName: email,
    userID: new TextEncoder().encode(id),
    challenge: Buffer.from(await makeChallenge(db, { purpose: "add", ownerId: id }), "base64url"),
    excludeCredentials: await listCredentials(db, id),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** Stores a new passkey, named after the browser. "full": the account has 20. */
export async function addPasskey(
  deps: AuthDeps,
  { userId, origin, response: json }: OwnChange & Response,
): Promise<{ kind: "added"; cookies: string[] } | { kind: "refused" | "full" }> {
  const response = readRegistration(json);
  const made = response && (await verifyRegistration(response, relyingPartyOf(deps.baseUrl)));
  if (!response || !made) return { kind: "refused" };
  return transact(deps.db, async (trx) => {
    const challenge = challengeOf(response);
    if (!(await lockUser(trx, userId))) return { kind: "refused" };
    if (!(await takeChallenge(trx, { challenge, purpose: "add", ownerId: userId }))) return { kind: "refused" };
    if ((await findRows(trx, userId)).length >= maxPasskeys) return { kind: "full" };
    const name = browserName(origin.headers.get("user-agent"));
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("passkey")
      .values({
        id: randomUUID(),
        owner_id: userId,
        credential_id: made.credentialId,
        public_key: made.publicKey,
        counter: made.counter,
        transports: JSON.stringify(response.response.transports ?? []),
        name,
        is_synced: made.isSynced ? 1 : 0,
        created_at: Date.now(),
      })
      .onConflict((conflict) => conflict.column("credential_id").doNothing())
      .executeTakeFirstOrThrow();
    if (!numInsertedOrUpdatedRows) return { kind: "refused" };
    await recordSecurityEvent(deps, trx, { ownerId: userId, event: "factor-added", detail: `passkey ${name}`, origin });
    await reportChange(deps, trx, { userId, change: "passkey-added", detail: name, origin });
    return { kind: "added", cookies: await renewOwnSession(deps, trx, { origin }) };
  });
}

export async function renamePasskey(
  { db }: AuthDeps,
  { userId, id, name }: { userId: string; id: string; name: string },
): Promise<void> {
  await db.updateTable("passkey").set({ name }).where("owner_id", "=", userId).where("id", "=", id).execute();
}

/** "needed": two-step verification is on and has no other factor. */
export function removePasskey(
  deps: AuthDeps,
  { userId, id, origin }: OwnChange & { id: string },
): Promise<"removed" | "needed" | "unknown"> {
  return transact(deps.db, async (trx) => {
    await lockUser(trx, userId);
    const rows = await findRows(trx, userId);
    const row = rows.find((passkey) => passkey.id === id);
    if (!row) return "unknown";
    const factor = await findSecondFactor(trx, userId);
    if (factor?.enabled_at && !factor.totp_secret && rows.length === 1) return "needed";
    await trx.deleteFrom("passkey").where("id", "=", id).execute();
    const detail = `passkey ${row.name}`;
    await recordSecurityEvent(deps, trx, { ownerId: userId, event: "factor-removed", detail, origin });
    await reportChange(deps, trx, { userId, change: "passkey-removed", detail: row.name, origin });
    return "removed";
  });
}

/** What browsers need to find the passkeys of an account. */
export async function listCredentials(db: Db, userId: string): Promise<{ id: string; transports: string[] }[]> {
  const rows = await findRows(db, userId);
  return rows.map(({ credential_id, transports }) => ({
    id: credential_id,
    transports: storedTransports.parse(JSON.parse(transports)),
  }));
}

type Row = Awaited<ReturnType<typeof findRows>>[number];

function findRows(trx: Db | Trx, userId: string) {
  return trx.selectFrom("passkey").selectAll().where("owner_id", "=", userId).orderBy("created_at").execute();
}

function toPasskey({ id, name, is_synced, created_at, last_used_at }: Row): Passkey {
  return {
    id,
    name,
    isSynced: is_synced === 1,
    createdAt: created_at,
    lastUsedAt: last_used_at ?? undefined,
  };
}
