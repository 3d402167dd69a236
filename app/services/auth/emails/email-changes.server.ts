import { randomBytes } from "node:crypto";

import { z } from "zod";

import { isUniqueViolation } from "#app/services/base/errors.ts";
import { createTokenSigner } from "#app/services/base/signed-token.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Engine, Trx } from "#app/services/database/database.server.ts";

import type { BetterAuth, EnqueueMail } from "#app/services/auth/better-auth.server.ts";
import type { RequestOrigin, SecurityEvents } from "#app/services/auth/audit/security-events.server.ts";
import { readDeviceId } from "#app/services/auth/sessions/devices.server.ts";
import {
  endOtherSessions,
  readSessionToken,
  renewSession,
  sessionCookie,
} from "#app/services/auth/sessions/session-rows.server.ts";
import type { Viewer } from "#app/services/auth/sessions/sessions.server.ts";
import {
  deleteMailedLinks,
  deleteUser,
  findAddressOwner,
  lockUser,
  setUserEmail,
} from "#app/services/auth/user-rows.server.ts";

import { createEmailRestores, createRestoreLinks } from "./email-restores.server.ts";
import type { EmailRestores } from "./email-restores.server.ts";

export type EmailChanges = EmailRestores & {
  /**
   * Sends a link to the new address and a notice to the current one. An address that belongs to another account gets a notice instead of
   * the link; the result is the same. The caller has checked the password. A newer change replaces an older one.
   */
  requestEmailChange(change: { userId: string; email: string }): Promise<void>;
  /** The new address that isn't confirmed yet, and until when its link is valid (epoch milliseconds). */
  findEmailChange(userId: string): Promise<{ email: string; until: number } | undefined>;
  cancelEmailChange(userId: string): Promise<void>;
  /** Checks a link without using it up: mail scanners open links too. */
  checkEmailChange(link: EmailChangeLink): Promise<EmailChangeCheck>;
  /** Changes the address, renews the browser's session, and ends the account's other sessions and mailed links. */
  confirmEmailChange(link: EmailChangeLink & RequestOrigin): Promise<EmailChangeResult>;
};

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

type EmailChangesDeps = {
  auth: BetterAuth;
  db: Db;
  engine: Engine;
  secret: string;
  securityEvents: SecurityEvents;
  enqueueMail: EnqueueMail;
};

const linkHours = 24;
const hourMs = 60 * 60 * 1000;

/** User id, new address, link id and expiry time in epoch milliseconds. */
const claimSchema = z.tuple([z.string(), z.string(), z.string(), z.number()]);

export function createEmailChanges(deps: EmailChangesDeps): EmailChanges {
  const { auth, db, engine, enqueueMail } = deps;
  const links = createTokenSigner(deps.secret, "change-email");
  const restoreLinks = createRestoreLinks(deps.secret);

  async function requestEmailChange({ userId, email }: { userId: string; email: string }) {
    const user = await (await auth.$context).internalAdapter.findUserById(userId);
    if (!user) return;
    const linkId = randomBytes(16).toString("base64url");
    const until = Date.now() + linkHours * hourMs;
    await transact(db, async (trx) => {
      if (await lockUser(trx, userId)) await storeChange(trx, { ownerId: userId, email, linkId, until });
    });
    // Before the link, so that there is none without the notice. An unconfirmed address may be a stranger's.
    if (user.emailVerified) await enqueueMail({ kind: "email-change-requested", to: user.email, newEmail: email });
    const owner = await findAddressOwner(db, email);
    // An account that was never used doesn't count: the owner of the mailbox may have the address.
    if (!owner || owner.isUnused) {
      const token = links.sign([userId, email, linkId, until] satisfies z.input<typeof claimSchema>);
      await enqueueMail({ kind: "change-email", to: email, token, validHours: linkHours });
    } else await enqueueMail({ kind: "change-to-known-address", to: email });
  }

  async function findEmailChange(userId: string) {
    const change = await findStored(userId);
    return change && { email: change.email, until: change.expires_at };
  }

  function findStored(userId: string) {
    return db
      .selectFrom("email_change")
      .selectAll()
      .where("owner_id", "=", userId)
      .where("expires_at", ">=", Date.now())
      .executeTakeFirst();
  }

  async function checkEmailChange({ token, viewer }: EmailChangeLink): Promise<EmailChangeCheck> {
    const claim = claimSchema.safeParse(links.verify(token)).data;
    if (!claim) return { kind: "unknown" };
    const [userId, to, linkId, until] = claim;
    if (!viewer) return { kind: "sign-in-first" };
    if (viewer.id !== userId) return { kind: "other-account" };
    if (viewer.email === to) return { kind: "used", to };
    if (until < Date.now()) return { kind: "expired" };
    const stored = await findStored(userId);
    if (stored?.link_id !== linkId) return { kind: "replaced" };
    return { kind: "ready", userId, linkId, from: viewer.email, to };
  }

  async function confirmEmailChange({ token, viewer, ...origin }: EmailChangeLink & RequestOrigin) {
    const checked = await checkEmailChange({ token, viewer });
    if (checked.kind !== "ready") return checked;
    const { to, userId, linkId } = checked;
    const before = await readSessionToken(auth, origin.headers);
    const keepTrustIn = await readDeviceId(auth, origin.headers);
    try {
      return await transact(db, async (trx): Promise<EmailChangeResult> => {
        const refusal = await applyChange(trx, { userId, email: to, linkId, engine });
        if (refusal) return refusal;
        const renewed = before === undefined ? undefined : await renewSession(trx, before);
        await endOtherSessions(trx, { userId, keep: renewed, keepTrustIn });
        await deps.securityEvents.record(trx, { ownerId: userId, event: "email-changed", origin });
        if (viewer?.isConfirmed) {
          const token = restoreLinks.sign(userId, viewer.email);
          const mail = { to: viewer.email, newEmail: to, token, validDays: restoreLinks.validDays };
          await enqueueMail({ kind: "email-changed", ...mail }, trx);
        }
        return { kind: "changed", to, cookies: renewed === undefined ? [] : [await sessionCookie(auth, renewed)] };
      });
    } catch (error) {
      // Another user signed up with the address at the same time.
      if (isUniqueViolation(error)) return { kind: "taken" as const, to };
      throw error;
    }
  }

  return {
    ...createEmailRestores(deps),
    requestEmailChange,
    findEmailChange,
    cancelEmailChange: async (userId) => {
      await db.deleteFrom("email_change").where("owner_id", "=", userId).execute();
    },
    checkEmailChange,
    confirmEmailChange,
  };
}

type StoredChange = { ownerId: string; email: string; linkId: string; until: number };

async function storeChange(trx: Trx, { ownerId, email, linkId, until }: StoredChange) {
  const change = { email, link_id: linkId, expires_at: until };
  await trx
    .insertInto("email_change")
    .values({ owner_id: ownerId, ...change })
    .onConflict((conflict) => conflict.column("owner_id").doUpdateSet(change))
    .execute();
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
