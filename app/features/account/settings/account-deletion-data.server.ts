import { deletedMail, feedbackMail } from "#app/features/account/account-mails.ts";
import { deleteCounts } from "#app/features/analytics/data.server.ts";
import { deleteSubscription } from "#app/features/billing/data.server.ts";
import { deleteAllCards } from "#app/features/cards/data.server.ts";
import { contactAddress } from "#app/features/contact/contact-mail.server.ts";
import { deleteProfileOfAccount } from "#app/features/profile/data.server.ts";
import { removeAssetsOfOwner } from "#app/features/uploads/data.server.ts";
import { deleteInvitationOf } from "#app/services/auth/emails/invitations.server.ts";
import { deleteUser, lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { deleteExport } from "./export/data.server.ts";

type AccountDeletion = {
  ownerId: string;
  /** For the operator; "" without any. */
  feedback: string;
  isByOperator?: boolean;
  /** Runs in the same transaction. */
  alsoWrite?: (trx: Trx) => Promise<void>;
};

export type DeletionServices = Pick<
  Services,
  "db" | "jobs" | "events" | "counter" | "config" | "siteContent" | "clock"
>;

/**
 * Deletes an account with all it owns in one transaction, and mails the owner. A job that is enqueued in it removes the files. Returns
 * false if there is no such account.
 */
export async function deleteAccount(
  all: DeletionServices,
  { ownerId, feedback, isByOperator = false, alsoWrite }: AccountDeletion,
): Promise<boolean> {
  const { db, jobs, events, counter, config, clock } = all;
  const { baseUrl } = config;
  // Counts in memory would otherwise be written after the rows are deleted.
  await counter.flush();
  return transact(db, async (trx) => {
    // A second submission of the form finds no account.
    if (!(await lockUser(trx, ownerId))) return false;
    // Before the profile: uploads lock in the same order.
    await removeAssetsOfOwner(trx, jobs, ownerId);
    // From here on nothing can be created for this account: everything needs its profile.
    await deleteProfileOfAccount(trx, ownerId);
    await deleteCounts(trx, { ownerId, now: clock() });
    await deleteAllCards(trx, ownerId);
    await deleteSubscription(trx, jobs, { ownerId, now: clock() });
    await deleteExport(trx, jobs, ownerId);
    await events.record(trx, { kind: "account.deleted", ownerId });
    const email = await deleteUser(trx, ownerId);
    if (email) await jobs.enqueue(trx, "mail", deletedMail({ to: email, baseUrl, isByOperator }));
    const invitationId = email && (await deleteInvitationOf(trx, email));
    const to = contactAddress(all);
    const logged = trx.updateTable("operator_log").set({ detail: "" });
    await logged.where("owner_id", "in", [ownerId, invitationId ?? ownerId]).execute();
    await alsoWrite?.(trx);
    if (feedback && to) await jobs.enqueue(trx, "mail", feedbackMail({ to, feedback, baseUrl }));
    return true;
  });
}
