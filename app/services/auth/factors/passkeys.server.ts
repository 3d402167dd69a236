import { randomUUID } from "node:crypto";

import { z } from "zod";

import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import { browserName } from "#app/services/auth/sessions/browser-name.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

import { renewOwnSession, reportChange } from "./factor-deps.server.ts";
import type { FactorDeps } from "./factor-deps.server.ts";
import { makeChallenge, takeChallenge } from "./passkey-challenges.server.ts";
import { challengeOf, loadPasskeyLibrary, readRegistration, verifyRegistration } from "./passkey-responses.server.ts";
import type { RelyingParty } from "./passkey-responses.server.ts";

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

export type Passkeys = {
  /** Whether browsers can use passkeys here: WebAuthn needs a domain, not an IP address. */
  canUsePasskeys: boolean;
  listPasskeys(userId: string): Promise<Passkey[]>;
  /** The options for `navigator.credentials.create`. */
  startPasskey(user: { id: string; email: string }): Promise<object>;
  /** Stores a new passkey, named after the browser. "full": the account has 20. */
  addPasskey(
    added: { userId: string; origin: RequestOrigin } & Response,
  ): Promise<{ kind: "added"; cookies: string[] } | { kind: "refused" | "full" }>;
  renamePasskey(renamed: { userId: string; id: string; name: string }): Promise<void>;
  /** "needed": two-step verification is on and has no other factor. */
  removePasskey(removed: {
    userId: string;
    id: string;
    origin: RequestOrigin;
  }): Promise<"removed" | "needed" | "unknown">;
};

const maxPasskeys = 20;
const storedTransports = z.array(z.string());

export function createPasskeys(deps: FactorDeps): Passkeys {
  const { db, securityEvents } = deps;
  const relyingParty = relyingPartyOf(deps.baseUrl);

  async function startPasskey({ id, email }: { id: string; email: string }) {
    const { generateRegistrationOptions } = await loadPasskeyLibrary();
    return generateRegistrationOptions({
      rpName: "Meishi",
      rpID: relyingParty.id,
      userName: email,
      userID: new TextEncoder().encode(id),
      challenge: Buffer.from(await makeChallenge(db, { purpose: "add", ownerId: id }), "base64url"),
      excludeCredentials: await listCredentials(db, id),
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    });
  }

  async function addPasskey({ userId, origin, response: json }: Parameters<Passkeys["addPasskey"]>[0]) {
    const response = readRegistration(json);
    const made = response && (await verifyRegistration(response, relyingParty));
    if (!response || !made) return { kind: "refused" as const };
    return transact(db, async (trx) => {
      const challenge = challengeOf(response);
      if (!(await lockUser(trx, userId))) return { kind: "refused" as const };
      if (!(await takeChallenge(trx, { challenge, purpose: "add", ownerId: userId })))
        return { kind: "refused" as const };
      if ((await findRows(trx, userId)).length >= maxPasskeys) return { kind: "full" as const };
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
      if (!numInsertedOrUpdatedRows) return { kind: "refused" as const };
      await securityEvents.record(trx, { ownerId: userId, event: "factor-added", detail: `passkey ${name}`, origin });
      await reportChange(deps, trx, { userId, change: "passkey-added", detail: name, origin });
      return { kind: "added" as const, cookies: await renewOwnSession({ auth: deps.auth, trx }, origin) };
    });
  }

  async function removePasskey({ userId, id, origin }: Parameters<Passkeys["removePasskey"]>[0]) {
    return transact(db, async (trx) => {
      await lockUser(trx, userId);
      const rows = await findRows(trx, userId);
      const row = rows.find((passkey) => passkey.id === id);
      if (!row) return "unknown";
      const factor = await trx
        .selectFrom("second_factor")
        .selectAll()
        .where("owner_id", "=", userId)
        .executeTakeFirst();
      if (factor?.enabled_at && !factor.totp_secret && rows.length === 1) return "needed";
      await trx.deleteFrom("passkey").where("id", "=", id).execute();
      const detail = `passkey ${row.name}`;
      await securityEvents.record(trx, { ownerId: userId, event: "factor-removed", detail, origin });
      await reportChange(deps, trx, { userId, change: "passkey-removed", detail: row.name, origin });
      return "removed";
    });
  }

  return {
    canUsePasskeys: !/^\[|\.\d+$/.test(relyingParty.id),
    listPasskeys: async (userId) => (await findRows(db, userId)).map(toPasskey),
    startPasskey,
    addPasskey,
    renamePasskey: async ({ userId, id, name }) => {
      await db.updateTable("passkey").set({ name }).where("owner_id", "=", userId).where("id", "=", id).execute();
    },
    removePasskey,
  };
}

/** Our site for passkeys. */
export function relyingPartyOf(baseUrl: string): RelyingParty {
  const { origin, hostname } = new URL(baseUrl);
  return { id: hostname, origin };
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
