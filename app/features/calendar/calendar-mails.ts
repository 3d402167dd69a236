import { letterMail } from "#app/features/account/account-mails.ts";
import type { Mail } from "#app/services/mail/mail.server.ts";

/** Tells an owner, in case it wasn't them: the address works without signing in, and also after a new password. */
export function feedCreatedMail({ to, baseUrl }: { to: string; baseUrl: string }): Mail {
  return letterMail(
    {
      subject: "A secret calendar address was created",
      heading: "A secret calendar address was created",
      paragraphs: [
        "A calendar that has it shows the follow-up dates of your leads, with their names. An earlier address has ended.",
      ],
      action: { label: "See or revoke it", url: `${baseUrl}/leads/notifications#calendar` },
      notes: ["If you didn't create it, revoke it, change your password and sign out everywhere."],
    },
    { to, baseUrl },
  );
}
