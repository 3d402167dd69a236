import { z } from "zod";

import type { RequestOrigin, SecurityEvent, SecurityEvents } from "#app/services/auth/audit/security-events.server.ts";
import type { BetterAuth, EnqueueMail, RemovedWayIn } from "#app/services/auth/better-auth.server.ts";
import { createResetLink } from "#app/services/auth/passwords/reset-links.server.ts";
import { clearingCookie, endOtherSessions } from "#app/services/auth/sessions/session-rows.server.ts";
import {
  deleteMailedLinks,
  deleteUser,
  findAddress,
  findAddressOwner,
  lockUser,
  setUserEmail,
} from "#app/services/auth/user-rows.server.ts";
import { isUniqueViolation } from "#app/services/base/errors.ts";
import { createTokenSigner } from "#app/services/base/signed-token.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Engine, Trx } from "#app/services/database/database.server.ts";

import { removeWaysIn } from "./added-ways-in.server.ts";

export type EmailRestores = {
  /** Checks the link that was mailed to the old address, without using it up. */
  checkEmailRestore(token: string): Promise<EmailRestoreCheck>;
  /**
   * Gives the account its old address back, once per link. Ends all its sessions, and removes its password and the ways to sign in that were
   * added in the 24 hours before the change or later: they may be a thief's. Returns a link to set a new password.
   */
  restoreEmail(restore: { token: string } & RequestOrigin): Promise<EmailRestoreResult>;
};

export type EmailRestoreCheck =
  | { kind: "ready"; userId: string; email: string; changedAt: number }
  /** The account has the address. */
  | { kind: "used" }
  /** Another account has the address. */
  | { kind: "taken" }
  | { kind: "expired" }
  | { kind: "unknown" };

export type EmailRestoreResult =
  | { kind: "restored"; userId: string; resetToken: string; removed: RemovedWayIn[]; cookies: string[] }
  | Exclude<EmailRestoreCheck, { kind: "ready" }>;

type EmailRestoresDeps = {
  auth: BetterAuth;
  db: Db;
  engine: Engine;
  secret: string;
  securityEvents: SecurityEvents;
  enqueueMail: EnqueueMail;
};

const linkDays = 7;
const dayMs = 24 * 60 * 60 * 1000;
/** A thief adds a way in first and changes the email then. */
const beforeChangeMs = dayMs;

/** User id, old address, and when it was changed, in epoch milliseconds. */
const claimSchema = z.tuple([z.string(), z.string(), z.number()]);

/** A signer of the links that undo a change of the email. */
export function createRestoreLinks(secret: string) {
  const links = createTokenSigner(secret, "restore-email");
  return {
    validDays: linkDays,
    sign: (userId: string, email: string): string =>
      links.sign([userId, email, Date.now()] satisfies z.input<typeof claimSchema>),
    verify: (token: string) => claimSchema.safeParse(links.verify(token)).data,
  };
}

/** Undoes a change of the email: whoever had the old mailbox may have lost the account. */
export function createEmailRestores(deps: EmailRestoresDeps): EmailRestores {
  const { auth, db } = deps;
  const links = createRestoreLinks(deps.secret);

  async function check(trx: Db | Trx, token: string): Promise<EmailRestoreCheck> {
    const claim = links.verify(token);
    if (!claim) return { kind: "unknown" };
    const [userId, email, changedAt] = claim;
    if (changedAt + linkDays * dayMs < Date.now()) return { kind: "expired" };
    const user = await findAddress(trx, userId);
    if (!user) return { kind: "unknown" };
    if (user.email === email || (await hasRestored(trx, { userId, since: changedAt }))) return { kind: "used" };
    const owner = await findAddressOwner(trx, email);
    if (owner && !owner.isReplaceable) return { kind: "taken" };
    return { kind: "ready", userId, email, changedAt };
  }

  async function restoreEmail({ token, ...origin }: { token: string } & RequestOrigin): Promise<EmailRestoreResult> {
    const first = await check(db, token);
    if (first.kind !== "ready") return first;
    const { userId, email, changedAt } = first;
    try {
      const restored = await transact(db, async (trx) => {
        await lockUser(trx, userId);
        const found = await findAddressOwner(trx, email);
        if (found) await lockUser(trx, found.id);
        // Another request may have been faster.
        const now = await check(trx, token);
        return now.kind === "ready" ? await restore(trx, deps, { userId, email, changedAt, origin }) : now;
      });
      if ("kind" in restored) return restored;
      const resetToken = await createResetLink(auth, userId);
      return { kind: "restored", userId, resetToken, ...restored, cookies: [await clearingCookie(auth)] };
    } catch (error) {
      // Another user signed up with the address at the same time.
      if (isUniqueViolation(error)) return { kind: "taken" };
      throw error;
    }
  }

  return { checkEmailRestore: (token) => check(db, token), restoreEmail };
}

type Restored = { userId: string; email: string; changedAt: number; origin: RequestOrigin };

async function restore(trx: Trx, deps: EmailRestoresDeps, { userId, email, changedAt, origin }: Restored) {
  const { engine, securityEvents, enqueueMail } = deps;
  const before = await findAddress(trx, userId);
  const owner = await findAddressOwner(trx, email);
  if (owner) await deleteUser(trx, owner.id);
  await setUserEmail(trx, { userId, email, engine });
  await deleteMailedLinks(trx, userId);
  await endOtherSessions(trx, { userId, keep: undefined });
  const removed = await removeWaysIn(trx, { userId, since: changedAt - beforeChangeMs });
  const detail = new Date(changedAt).toISOString();
  await securityEvents.record(trx, { ownerId: userId, event: "email-restored", detail, origin });
  for (const way of removed) await securityEvents.record(trx, { ownerId: userId, origin, ...removalOf(way) });
  await enqueueMail({ kind: "email-restored", to: email, removed }, trx);
  if (before) await enqueueMail({ kind: "email-change-undone", to: before.email }, trx);
  return { removed };
}

function removalOf(way: RemovedWayIn): Pick<SecurityEvent, "event" | "detail"> {
  if (way.kind === "connection") return { event: "account-unlinked", detail: way.name };
  return { event: "factor-removed", detail: way.kind === "passkey" ? `passkey ${way.name}` : way.kind };
}

/**
 * A link works once, and undoes later changes with it: their links don't work after it. The link of an earlier change does, because a thief
 * who changes the email twice gets a link as well. The event's detail is the time of the change that was undone.
 */
async function hasRestored(trx: Db | Trx, { userId, since }: { userId: string; since: number }): Promise<boolean> {
  const row = await trx
    .selectFrom("security_event")
    .select("id")
    .where("owner_id", "=", userId)
    .where("event", "=", "email-restored")
    .where("created_at", ">=", since)
    .where("detail", "<=", new Date(since).toISOString())
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
