import { randomUUID } from "node:crypto";

import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { insertConfirmedUser } from "#app/services/auth/oauth/connection-rows.server.ts";
import { completeSignIn } from "#app/services/auth/sessions/sign-ins.server.ts";
import type { SignInOutcome } from "#app/services/auth/sessions/sign-ins.server.ts";
import { hashToken, newToken } from "#app/services/auth/tokens.server.ts";
import { deleteUser, findAddressOwner, lockUser, setPasswordHash } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

/** An invitation as operators see it. Times are epoch milliseconds. */
export type Invitation = {
  id: string;
  email: string;
  state: "sent" | "expired" | "accepted";
  createdAt: number;
  /** When it was accepted, or else when its link ends or has ended. */
  at: number;
};

const dayMs = 24 * 60 * 60 * 1000;
const validDays = 14;
const tokenPattern = /^[\w-]{32}$/;

/** How long an invitation is listed after its link has ended. */
export const listedMs = 90 * dayMs;

/** Mails an invitation to an address, unless it has an account that is used or an invitation that still works. */
export async function inviteAddress(
  deps: AuthDeps,
  trx: Trx,
  email: string,
): Promise<{ kind: "invited"; id: string } | { kind: "has-account" | "invited-before" }> {
  const owner = await findAddressOwner(trx, email);
  if (owner && !owner.isReplaceable) return { kind: "has-account" };
  const known = await trx.selectFrom("invitation").selectAll().where("email", "=", email).executeTakeFirst();
  if (known?.token_hash && known.expires_at > Date.now()) return { kind: "invited-before" };
  // The log of the operator names the invitation by its id.
  const id = known?.id ?? randomUUID();
  const { token, row } = newLink();
  const values = { ...row, created_at: Date.now(), accepted_at: null };
  await trx
    .insertInto("invitation")
    .values({ id, email, ...values })
    .onConflict((conflict) => conflict.column("email").doUpdateSet(values))
    .execute();
  await deps.enqueueMail({ kind: "invitation", to: email, token, validDays }, trx);
  return { kind: "invited", id };
}

/** Mails a new link, which replaces the earlier one. Returns the address; undefined when there is no such invitation to accept. */
export async function resendInvitation(deps: AuthDeps, trx: Trx, id: string): Promise<string | undefined> {
  const { token, row } = newLink();
  const sent = await trx
    .updateTable("invitation")
    .set(row)
    .where("id", "=", id)
    .where("accepted_at", "is", null)
    .returning("email")
    .executeTakeFirst();
  if (sent) await deps.enqueueMail({ kind: "invitation", to: sent.email, token, validDays }, trx);
  return sent?.email;
}

function newLink() {
  const token = newToken();
  return { token, row: { token_hash: hashToken(token), expires_at: Date.now() + validDays * dayMs } };
}

/** Makes the link void. Returns the address; undefined when there is no such invitation to accept. */
export async function revokeInvitation(_deps: AuthDeps, trx: Trx, id: string): Promise<string | undefined> {
  const revoked = trx.deleteFrom("invitation").where("id", "=", id).where("accepted_at", "is", null);
  return (await revoked.returning("email").executeTakeFirst())?.email;
}

/** Deletes the invitation to the address of a deleted account. Returns its id, if there was one. */
export async function deleteInvitationOf(trx: Trx, email: string): Promise<string | undefined> {
  const deleted = trx.deleteFrom("invitation").where("email", "=", email);
  return (await deleted.returning("id").executeTakeFirst())?.id;
}

/** The invitations before the one with the id `before`, newest first, and the `before` of the next page. */
export async function listInvitations(
  { db }: AuthDeps,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<{ invitations: Invitation[]; next: string | undefined }> {
  const last = before && (await db.selectFrom("invitation").selectAll().where("id", "=", before).executeTakeFirst());
  let page = db.selectFrom("invitation").selectAll().orderBy("created_at", "desc").orderBy("id", "desc");
  if (last)
    page = page.where((row) =>
      row.or([
        row("created_at", "<", last.created_at),
        row.and([row("created_at", "=", last.created_at), row("id", "<", last.id)]),
      ]),
    );
  const rows = await page.limit(limit + 1).execute();
  const now = Date.now();
  const invitations = rows.slice(0, limit).map(({ id, email, created_at, expires_at, accepted_at }): Invitation => {
    const state = accepted_at !== null ? "accepted" : expires_at < now ? "expired" : "sent";
    return { id, email, state, createdAt: created_at, at: accepted_at ?? expires_at };
  });
  return { invitations, next: rows.length > limit ? invitations.at(-1)?.id : undefined };
}

/** The address of an invitation that can be accepted. Doesn't use it up: mail scanners open links too. */
export async function findInvitation(deps: AuthDeps, token: string): Promise<string | undefined> {
  return (await findOpen(deps, deps.db, token))?.email;
}

async function findOpen({ signUpPolicy }: AuthDeps, db: Db | Trx, token: string) {
  // Other text never reaches the database: PostgreSQL rejects NUL.
  if (signUpPolicy === "closed" || !tokenPattern.test(token)) return undefined;
  const open = db.selectFrom("invitation").selectAll().where("token_hash", "=", hashToken(token));
  return open.where("expires_at", ">", Date.now()).executeTakeFirst();
}

export type AcceptResult =
  | (SignInOutcome & { userId: string })
  /** Used, revoked, replaced or expired. */
  | { kind: "gone" }
  | { kind: "has-account"; email: string };

/**
 * Creates the account of an invitation, whose link has confirmed the address, and signs in. An account with this address that was never used
 * may be a stranger's, so it is replaced.
 */
export async function acceptInvitation(
  deps: AuthDeps,
  { token, password, ...origin }: { token: string; password: string } & RequestOrigin,
): Promise<AcceptResult> {
  const hash = await deps.passwords.hash(password);
  return transact(deps.db, async (trx): Promise<AcceptResult> => {
    const invitation = await findOpen(deps, trx, token);
    if (!invitation) return { kind: "gone" };
    const { email } = invitation;
    const found = await findAddressOwner(trx, email);
    // The link of its sign-up may be opened right now.
    if (found) await lockUser(trx, found.id);
    const owner = found && (await findAddressOwner(trx, email));
    if (owner && !owner.isReplaceable) return { kind: "has-account", email };
    // Only one of two concurrent requests gets it.
    if (!(await takeInvitationOf(deps, trx, email))) return { kind: "gone" };
    if (owner) await deleteUser(trx, owner.id);
    const userId = await insertConfirmedUser(trx, { email, name: email.split("@")[0] ?? "", engine: deps.engine });
    await setPasswordHash(trx, { userId, hash, engine: deps.engine });
    return { ...(await completeSignIn(deps, trx, { userId, method: "sign-up", origin })), userId };
  });
}

/** Uses up the invitation of an address that was just proved. Returns false without one that can be accepted. */
export async function takeInvitationOf({ signUpPolicy }: AuthDeps, trx: Trx, email: string): Promise<boolean> {
  if (signUpPolicy === "closed") return false;
  const now = Date.now();
  const { numUpdatedRows } = await trx
    .updateTable("invitation")
    .set({ accepted_at: now, token_hash: null })
    .where("email", "=", email)
    .where("accepted_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
