import { z } from "zod";

import { recordSecurityEvent } from "#app/services/auth/audit/security-events.server.ts";
import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { readDeviceId } from "#app/services/auth/sessions/devices.server.ts";
import {
  endSessions,
  readSessionToken,
  renewSession,
  sessionCookie,
} from "#app/services/auth/sessions/session-rows.server.ts";
import type { Viewer } from "#app/services/auth/sessions/viewer.server.ts";
import { newToken } from "#app/services/auth/tokens.server.ts";
import {
  deleteMailedLinks,
  deleteUser,
  findAddressOwner,
  lockUser,
  setUserEmail,
} from "#app/services/auth/user-rows.server.ts";
import { isUniqueViolation } from "#app/services/base/errors.ts";
import { createTokenSigner } from "#app/services/base/signed-token.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Engine, Trx } from "#app/services/database/database.server.ts";

import { signRestoreLink } from "./email-restores.server.ts";

type EmailChangeLink = { token: string; viewer: Viewer | undefined };

export type EmailChangeCheck =
  | { kind: "ready"; userId: string; linkId: string; from: string; to: string }
  /** Works only in a browser that is signed in to the account. Otherwise a user could enter a stranger's address and have them confirm it. */
  | { kind: "sign-in-first" }
  | { kind: "other-account" }
  /** The account already has the address. */
  | { kind: "used"; to: string }
  | { kind: "expired" }
  /** A newer link was sent, or the change was canceled. */
  | { kind: "replaced" }
  | { kind: "unknown" };

export type EmailChangeResult =
  | { kind: "changed"; to: string; cookies: string[] }
  /** Another account got the address in the meantime. */
  | { kind: "taken"; to: string }
  | Exclude<EmailChangeCheck, { kind: "ready" }>;

const linkHours = 24;
const hourMs = 60 * 60 * 1000;

/** User id, new address, link id and expiry time in epoch milliseconds. */
const claimSchema = z.tuple([z.string(), z.string(), z.string(), z.number()]);
const linkSigner = ({ secret }: AuthDeps) => createTokenSigner(secret, "change-email");

/**
 * Sends a link to the new address and a notice to the current one. An address that belongs to another account gets a notice instead of
 * the link; the result is the same. The caller has checked the password. A newer change replaces an older one.
 */
export async function requestEmailChange(
  deps: AuthDeps,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  const { db, enqueueMail } = deps;
  const user = await (await deps.auth.$context).internalAdapter.findUserById(userId);
  if (!user) return;
  const linkId = newToken(16);
  const until = Date.now() + linkHours * hourMs;
  const change = { email, link_id: linkId, expires_at: until };
  await transact(db, async (trx) => {
    if (!(await lockUser(trx, userId))) return;
    await trx
      .insertInto("email_change")
      .values({ owner_id: userId, ...change })
      .onConflict((conflict) => conflict.column("owner_id").doUpdateSet(change))
      .execute();
  });
  // Before the link, so that there is none without the notice. An unconfirmed address may be a stranger's.
  if (user.emailVerified) await enqueueMail({ kind: "email-change-requested", to: user.email, newEmail: email });
  const owner = await findAddressOwner(db, email);
  // An account that was never used doesn't count: the owner of the mailbox may have the address.
  if (!owner || owner.isUnused) {
    const token = linkSigner(deps).sign([userId, email, linkId, until] satisfies z.input<typeof claimSchema>);
    await enqueueMail({ kind: "change-email", to: email, token, validHours: linkHours });
  } else await enqueueMail({ kind: "change-to-known-address", to: email });
}

/** The new address that isn't confirmed yet, and until when its link is valid (epoch milliseconds). */
export async function findEmailChange(
  deps: AuthDeps,
  userId: string,
): Promise<{ email: string; until: number } | undefined> {
  const change = await findStored(deps, userId);
  return change && { email: change.email, until: change.expires_at };
}

function findStored({ db }: AuthDeps, userId: string) {
  return db
    .selectFrom("email_change")
    .selectAll()
    .where("owner_id", "=", userId)
    .where("expires_at", ">=", Date.now())
    .executeTakeFirst();
}

export async function cancelEmailChange({ db }: AuthDeps, userId: string): Promise<void> {
  await db.deleteFrom("email_change").where("owner_id", "=", userId).execute();
}

/** Checks a link without using it up: mail scanners open links too. */
export async function checkEmailChange(deps: AuthDeps, { token, viewer }: EmailChangeLink): Promise<EmailChangeCheck> {
  const claim = claimSchema.safeParse(linkSigner(deps).verify(token)).data;
  if (!claim) return { kind: "unknown" };
  const [userId, to, linkId, until] = claim;
  if (!viewer) return { kind: "sign-in-first" };
  if (viewer.id !== userId) return { kind: "other-account" };
  if (viewer.email === to) return { kind: "used", to };
  if (until < Date.now()) return { kind: "expired" };
  const stored = await findStored(deps, userId);
  if (stored?.link_id !== linkId) return { kind: "replaced" };
  return { kind: "ready", userId, linkId, from: viewer.email, to };
}

/** Changes the address, renews the browser's session, and ends the account's other sessions and mailed links. */
export async function confirmEmailChange(
  deps: AuthDeps,
  { token, viewer, ...origin }: EmailChangeLink & RequestOrigin,
): Promise<EmailChangeResult> {
  const checked = await checkEmailChange(deps, { token, viewer });
  if (checked.kind !== "ready") return checked;
  const { db, engine } = deps;
  const { to, userId, linkId } = checked;
  const before = await readSessionToken(deps, origin.headers);
  const keepTrustIn = readDeviceId(deps, origin.headers);
  try {
    return await transact(db, async (trx): Promise<EmailChangeResult> => {
      const refusal = await applyChange(trx, { userId, email: to, linkId, engine });
      if (refusal) return refusal;
      const renewed = before === undefined ? undefined : await renewSession(trx, before);
      await endSessions(trx, { userId, keep: renewed, keepTrustIn });
      await recordSecurityEvent(deps, trx, { ownerId: userId, event: "email-changed", origin });
      if (viewer?.isConfirmed) {
        const link = signRestoreLink(deps.secret, { userId, email: viewer.email });
        await deps.enqueueMail({ kind: "email-changed", to: viewer.email, newEmail: to, ...link }, trx);
      }
      return { kind: "changed", to, cookies: renewed === undefined ? [] : [await sessionCookie(deps, renewed)] };
    });
  } catch (error) {
    // Another user signed up with the address at the same time.
    if (isUniqueViolation(error)) return { kind: "taken", to };
    throw error;
  }
}

type ConfirmedChange = { userId: string; email: string; linkId: string; engine: Engine };

/** Returns why the address can't be changed. */
async function applyChange(
  trx: Trx,
  { userId, email, linkId, engine }: ConfirmedChange,
): Promise<Exclude<EmailChangeResult, { kind: "changed" }> | undefined> {
  // Of two concurrent requests only one finds the change.
  const isStored = (await lockUser(trx, userId)) && (await takeChange(trx, { userId, linkId }));
  if (!isStored) return { kind: "replaced" };
  const owner = await findAddressOwner(trx, email);
  if (owner && owner.id !== userId) {
    // Its link may be opened right now.
    await lockUser(trx, owner.id);
    if (!(await findAddressOwner(trx, email))?.isReplaceable) return { kind: "taken", to: email };
    await deleteUser(trx, owner.id);
  }
  await setUserEmail(trx, { userId, email, engine });
  await deleteMailedLinks(trx, userId);
  return undefined;
}

async function takeChange(trx: Trx, { userId, linkId }: { userId: string; linkId: string }): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("email_change")
    .where("owner_id", "=", userId)
    .where("link_id", "=", linkId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
