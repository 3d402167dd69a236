import { letterMail } from "#app/services/mail/letter.ts";
import { formatOwnDate } from "#app/services/preferences/owner-time.ts";
import type { DateChoice } from "#app/services/preferences/owner-time.ts";
import type { Mail } from "#app/services/mail/mail.server.ts";

type PlanMail = { to: string; baseUrl: string };

type GrantedMail = PlanMail & { endsAt: number | null; choice: DateChoice };

/** The operator gave an owner Premium; `endsAt` in epoch milliseconds, null without an end. */
export function grantedMail({ endsAt, choice, ...mail }: GrantedMail): Mail {
  const host = new URL(mail.baseUrl).host;
  const until = endsAt === null ? "" : ` until ${formatOwnDate(endsAt, choice)}`;
  const letter = {
    subject: `You have Premium${until}`,
    heading: `You have Premium${until}`,
    paragraphs: [
      `The operator of ${host} gave your account Premium${until}. You don’t pay anything for it.`,
      "You can create more cards and use every theme and color, and your pages no longer show “Made with Meishi”.",
    ],
    action: { label: "Open your profile", url: `${mail.baseUrl}/profile` },
    notes: ["When Premium ends, nothing is deleted: your oldest card stays public, and the others are paused."],
  };
  return letterMail(letter, mail);
}

/** The operator took back what they gave, and the owner is on Free. */
export function revokedMail(mail: PlanMail): Mail {
  const host = new URL(mail.baseUrl).host;
  const letter = {
    subject: "Your Premium has ended",
    heading: "Your Premium has ended",
    paragraphs: [
      `The operator of ${host} ended the Premium plan that they gave your account.`,
      "Nothing was deleted. Your oldest card stays public, and the others are paused. They come back when you have Premium again, and so do a Premium theme and color.",
    ],
    action: { label: "Open your profile", url: `${mail.baseUrl}/profile` },
    notes: ["You don’t need to do anything."],
  };
  return letterMail(letter, mail);
}
