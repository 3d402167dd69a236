import { letterMail } from "#app/services/mail/letter.ts";
import type { Mail } from "#app/services/mail/mail.server.ts";

type SwitchedOff = {
  to: string;
  id: string;
  /** Undefined when its address or secret can't be read. */
  host: string | undefined;
  reason: "gone" | "failing";
  baseUrl: string;
};

/** Tells owners that an endpoint gets nothing anymore. Of its address only the host: the rest is often a secret. */
export function switchedOffMail({ to, id, host, reason, baseUrl }: SwitchedOff): Mail {
  return letterMail(
    {
      subject: host === undefined ? "Your webhook was switched off" : `Your webhook to ${host} was switched off`,
      heading: "A webhook was switched off",
      paragraphs: [
        explain(host, reason),
        "Nothing is sent to it until you switch it on again. What happens meanwhile isn’t sent later. What failed before is in its log for 30 days, and you can send it again.",
      ],
      action: { label: "Open the webhook", url: `${baseUrl}/webhooks/${id}` },
      notes: ["Its log shows what was sent and how the other side answered."],
    },
    { to, baseUrl },
  );
}

function explain(host: string | undefined, reason: SwitchedOff["reason"]): string {
  if (host === undefined)
    return "Nothing could be sent for five days: its address or signing secret can’t be read anymore, because the installation’s secret has changed. Delete the webhook and add it again.";
  return reason === "gone"
    ? `${host} answered that it doesn’t want our messages anymore (410 Gone).`
    : `Every attempt to reach ${host} has failed for five days.`;
}
