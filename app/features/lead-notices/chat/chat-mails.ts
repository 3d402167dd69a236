import { letterMail } from "#app/features/account/account-mails.ts";
import type { Mail } from "#app/services/mail/mail.server.ts";

/** Tells an owner, in case it wasn't them. Of the address only the host: the rest lets anyone write to the channel. */
export function chatAddedMail({ to, host, baseUrl }: { to: string; host: string; baseUrl: string }): Mail {
  return letterMail(
    {
      subject: "New leads are sent to a chat",
      heading: "New leads are sent to a chat",
      paragraphs: [
        `From now on a chat at ${host} gets the details of each new lead whose visitor agrees to it: the text of your forms says so.`,
      ],
      action: { label: "See or change it", url: `${baseUrl}/leads/notifications#chat` },
      notes: ["If you didn't add this chat, remove it, change your password and sign out everywhere."],
    },
    { to, baseUrl },
  );
}
