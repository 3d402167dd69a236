import { accountMail } from "#app/features/account/account-mails.ts";
import { deleteAccount } from "#app/features/account/settings/account-deletion-data.server.ts";
import type { DeletionServices } from "#app/features/account/settings/account-deletion-data.server.ts";
import { grantPremium, revokeGrant } from "#app/features/billing/data.server.ts";
import type { Entitlement } from "#app/features/billing/entitlement.ts";
import { activePlan, isPaid } from "#app/features/billing/rules.ts";
import { markEndAsMailed } from "#app/features/plan-mails/data.server.ts";
import type { SecurityEventKind } from "#app/services/auth/audit/security-events.server.ts";
import { endSessions } from "#app/services/auth/sessions/session-rows.server.ts";
import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import { confirmSignUpDraft } from "#app/services/auth/emails/sign-up-drafts.server.ts";
import {
  confirmUserEmail,
  deletePassword,
  findAddress,
  findAddressOwner,
  lockUser,
} from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { grantedMail, revokedMail } from "#app/features/plan-mails/plan-mails.ts";

import type { OperatorAction } from "./messages.ts";
import { logAction } from "./operator-log-data.server.ts";

/** `adminId` is "" for the command line. `reason`: of a block or a grant. `endsAt`: of a grant; without one it has no end. */
export type ActionRequest = {
  adminId: string;
  ownerId: string;
  action: OperatorAction;
  reason?: string;
  endsAt?: number | null;
};

/** What the actions use of the services, so that the command line needs no others. */
export type ActionServices = DeletionServices & Pick<Services, "auth" | "engine">;

/** "unchanged": there was nothing to do, such as no second factor to reset or no grant to revoke. */
export type ActionOutcome = "done" | "gone" | "unchanged";

/** Carries out what an operator decided about an account. The owner sees it among their security events, operators in their log. */
export async function actOnAccount(all: ActionServices, request: ActionRequest): Promise<ActionOutcome> {
  switch (request.action) {
    case "sign-out":
      return changeAccount(all, request, { event: "session-ended", write: signOutEverywhere });
    case "confirm":
      return changeAccount(all, request, {
        event: "email-confirmed",
        write: (trx) => confirmEmail(trx, all, request),
      });
    case "block":
      return changeAccount(all, request, {
        event: "blocked",
        write: (trx) => blockAccount(trx, all, request),
      });
    case "unblock":
      return changeAccount(all, request, {
        event: "unblocked",
        write: (trx) => unblockAccount(trx, all.events, request),
      });
    case "reset-two-step":
      return resetTwoStep(all, request);
    case "grant":
      return changeAccount(all, request, { event: "plan-granted", write: (trx) => grantPlan(trx, all, request) });
    case "revoke":
      return changeAccount(all, request, { event: "plan-revoked", write: (trx) => revokePlan(trx, all, request) });
    case "delete":
      return deleteByOperator(all, request);
  }
}

type AccountChange = {
  event: SecurityEventKind;
  /** "unchanged": it wrote nothing, so nothing is recorded. */
  write: (trx: Trx, request: ActionRequest) => Promise<void | "unchanged">;
};

function changeAccount(
  { db, auth }: ActionServices,
  request: ActionRequest,
  { event, write }: AccountChange,
): Promise<ActionOutcome> {
  const { ownerId, reason } = request;
  return transact(db, async (trx) => {
    // A sign-in that is under way ends before this, or starts after it.
    if (!(await lockUser(trx, ownerId))) return "gone";
    if ((await write(trx, request)) === "unchanged") return "unchanged";
    await auth.recordSecurityEvent(trx, { ownerId, event, detail: byOperator, origin: undefined });
    await logAction(trx, { ...request, ...(reason !== undefined && { detail: reason }) });
    return "done";
  });
}

const byOperator = "by the operator";

async function signOutEverywhere(trx: Trx, { ownerId }: { ownerId: string }) {
  await endSessions(trx, { userId: ownerId, keep: undefined });
}

/**
 * Mails the owner. Anyone may have signed up with the address of an account that was never used, so the password and the draft of that sign-up
 * are removed.
 */
async function confirmEmail(trx: Trx, { engine, jobs, config }: ActionServices, { ownerId }: ActionRequest) {
  const address = await findAddress(trx, ownerId);
  if (!address || address.isConfirmed) return;
  const isUnused = Boolean((await findAddressOwner(trx, address.email))?.isUnused);
  if (isUnused) {
    await deletePassword(trx, ownerId);
    await confirmSignUpDraft(trx, { userId: ownerId, attempt: undefined });
  }
  await confirmUserEmail(trx, { userId: ownerId, engine });
  const mail = { kind: "confirmed-by-operator", to: address.email, needsPassword: isUnused } as const;
  await jobs.enqueue(trx, "mail", accountMail(mail, config.baseUrl));
}

/** Its pages disappear on every node with the event, which also drops stored copies. */
async function blockAccount(trx: Trx, { events, clock }: ActionServices, { ownerId, reason = "" }: ActionRequest) {
  await trx
    .insertInto("account_block")
    .values({ owner_id: ownerId, reason, created_at: clock() })
    .onConflict((conflict) => conflict.column("owner_id").doUpdateSet({ reason }))
    .execute();
  await signOutEverywhere(trx, { ownerId });
  await events.record(trx, { kind: "account.blocked", ownerId });
}

async function unblockAccount(trx: Trx, events: Services["events"], { ownerId }: ActionRequest) {
  await trx.deleteFrom("account_block").where("owner_id", "=", ownerId).execute();
  await events.record(trx, { kind: "account.unblocked", ownerId });
}

async function grantPlan(trx: Trx, { events, jobs, config, clock }: ActionServices, request: ActionRequest) {
  const { ownerId, adminId, reason = "", endsAt = null } = request;
  await grantPremium(trx, events, { ownerId, endsAt, reason, grantedBy: adminId, now: clock() });
  const address = await findAddress(trx, ownerId);
  if (!address?.isConfirmed) return;
  const choice = await findPreferences(trx, ownerId);
  const mail = grantedMail({ to: address.email, baseUrl: config.baseUrl, endsAt, choice });
  await jobs.enqueue(trx, "mail", mail);
}

/** Mails the owner, unless they also pay for a plan, or it has ended already. */
async function revokePlan(trx: Trx, { events, jobs, config, clock }: ActionServices, { ownerId }: ActionRequest) {
  const now = clock();
  const change = await revokeGrant(trx, { events, now }, ownerId);
  if (!change) return "unchanged";
  if (!isPaidAt(change.before, now) || isPaidAt(change.after, now)) return undefined;
  await markEndAsMailed(trx, ownerId);
  const address = await findAddress(trx, ownerId);
  const to = address?.isConfirmed ? address.email : undefined;
  if (to !== undefined) await jobs.enqueue(trx, "mail", revokedMail({ to, baseUrl: config.baseUrl }));
  return undefined;
}

function isPaidAt({ plan, endsAt }: Entitlement, now: number): boolean {
  return isPaid(activePlan({ plan, ends_at: endsAt }, { now, premium: "granted" }));
}

async function deleteByOperator(all: ActionServices, request: ActionRequest): Promise<ActionOutcome> {
  const { ownerId } = request;
  const alsoWrite = (trx: Trx) => logAction(trx, request);
  const isDeleted = await deleteAccount(all, { ownerId, feedback: "", isByOperator: true, alsoWrite });
  return isDeleted ? "done" : "gone";
}

/** Also ends the account's sessions, and mails the owner. */
async function resetTwoStep({ db, auth }: ActionServices, request: ActionRequest): Promise<ActionOutcome> {
  if (!(await auth.resetFactors(request.ownerId))) return "unchanged";
  await transact(db, (trx) => logAction(trx, request));
  return "done";
}
