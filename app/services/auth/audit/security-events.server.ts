import { createHmac, randomUUID } from "node:crypto";

import { browserName } from "#app/services/auth/sessions/browser-name.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";

/** Where a request came from. */
export type RequestOrigin = {
  headers: Headers;
  /** The network address. It is hashed, never stored. */
  address?: string | undefined;
};

export type SecurityEventKind =
  | "signed-in"
  | "signed-out"
  | "sign-in-refused"
  | "identity-confirmed"
  | "session-ended"
  | "password-set"
  | "password-changed"
  | "email-changed"
  | "email-confirmed"
  | "factor-added"
  | "factor-removed"
  | "factor-refused"
  | "backup-codes-made"
  | "backup-code-used"
  | "account-linked"
  | "account-unlinked"
  | "data-exported"
  | "blocked"
  | "unblocked";

export type SecurityEvent = {
  ownerId: string;
  event: SecurityEventKind;
  /** A word or two for the owner: the way of signing in, the name of a passkey. */
  detail?: string;
  /** Without one, the operator did it. */
  origin: RequestOrigin | undefined;
};

export type SecurityEvents = {
  /** Records an event; in a transaction, only if that commits. */
  record(trx: Db | Trx, event: SecurityEvent): Promise<void>;
  /** Deletes events that are older than 180 days. */
  sweep(): Promise<void>;
};

const keptMs = 180 * 24 * 60 * 60 * 1000;

/** The security events of accounts, for their owners and the operator. Networks are stored as a keyed hash. */
export function createSecurityEvents({ db, secret }: { db: Db; secret: string }): SecurityEvents {
  const hashNetwork = (address: string) =>
    createHmac("sha256", secret)
      .update(`network\n${networkOf(address)}`)
      .digest("base64url")
      .slice(0, 8);

  return {
    record: async (trx, { ownerId, event, detail = "", origin }) => {
      await trx
        .insertInto("security_event")
        .values({
          id: randomUUID(),
          owner_id: ownerId,
          event,
          detail,
          browser: origin ? browserName(origin.headers.get("user-agent")) : "",
          network: origin?.address ? hashNetwork(origin.address) : "",
          created_at: Date.now(),
        })
        .execute();
    },
    sweep: async () => {
      await db
        .deleteFrom("security_event")
        .where("created_at", "<", Date.now() - keptMs)
        .execute();
    },
  };
}
