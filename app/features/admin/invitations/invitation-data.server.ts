import { logAction } from "#app/features/admin/operator-log-data.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

type InvitationServices = Pick<Services, "db" | "auth">;

/** What became of each address. */
export type InviteResult = { invited: string[]; withAccount: string[]; invitedBefore: string[] };

/** Mails an invitation to each address that has neither an account nor an invitation. `adminId` is "" for the command line. */
export async function inviteAddresses(
  { db, auth }: InvitationServices,
  { adminId, emails }: { adminId: string; emails: readonly string[] },
): Promise<InviteResult> {
  const result: InviteResult = { invited: [], withAccount: [], invitedBefore: [] };
  for (const email of emails)
    await transact(db, async (trx) => {
      const outcome = await auth.inviteAddress(trx, email);
      const list = {
        invited: result.invited,
        "has-account": result.withAccount,
        "invited-before": result.invitedBefore,
      };
      list[outcome.kind].push(email);
      if (outcome.kind === "invited")
        await logAction(trx, { adminId, ownerId: outcome.id, action: "invite", detail: email });
    });
  return result;
}

/** Sends or revokes an invitation. Returns false for one that was accepted or revoked. */
export async function changeInvitation(
  { db, auth }: InvitationServices,
  { adminId, id, action }: { adminId: string; id: string; action: "invite-again" | "invite-revoke" },
): Promise<boolean> {
  return transact(db, async (trx) => {
    const change = action === "invite-again" ? auth.resendInvitation : auth.revokeInvitation;
    const email = await change(trx, id);
    if (email === undefined) return false;
    await logAction(trx, { adminId, ownerId: id, action, detail: email });
    return true;
  });
}
