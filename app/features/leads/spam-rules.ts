import type { SpamReason } from "#app/features/leads/rules.ts";
import type { LeadDetails } from "#app/features/leads/schema.ts";

/** No person fills in the form faster. */
export const minFormAgeMs = 2_000;

/** A form that was open for longer gets a new form token, and has to be sent again. */
export const maxFormAgeMs = 24 * 3_600_000;

/** A hidden field. People leave it empty because they don't see it; bots fill in every field. */
export const honeypotField = "homepage";

/** Why a form looks like spam; [] for most. All of it is decided here: nothing about a visitor goes to a third party. */
export function findSpamReasons(
  details: LeadDetails,
  { ageMs, isHoneypotFilled }: { ageMs: number; isHoneypotFilled: boolean },
): SpamReason[] {
  const { name, company, email, note, answers } = details;
  const links = countLinks([note, ...answers.map(({ answer }) => answer)].join(" "));
  const reasons: [SpamReason, boolean][] = [
    ["honeypot", isHoneypotFilled],
    ["too-fast", ageMs < minFormAgeMs],
    ["links", links > maxLinks || countLinks(`${name} ${company}`) > 0],
    ["disposable-address", disposableDomains.has(email.split("@").at(-1)?.toLowerCase() ?? "")],
  ];
  return reasons.filter(([, isTrue]) => isTrue).map(([reason]) => reason);
}

const maxLinks = 2;

function countLinks(text: string): number {
  return text.match(/https?:\/\/(?:www\.)?|\bwww\.|\[url/gi)?.length ?? 0;
}

/** Providers of addresses that exist for minutes. A hint for the owner, no proof of spam. */
const disposableDomains = new Set(
  `10minutemail.com 33mail.com anonbox.net burnermail.io discard.email dispostable.com emailondeck.com fakeinbox.com getairmail.com getnada.com
  grr.la guerrillamail.com guerrillamail.de guerrillamail.net guerrillamail.org inboxkitten.com mail-temp.com mailcatch.com maildrop.cc mailinator.com
  mailnesia.com mintemail.com moakt.com mohmal.com mytemp.email nada.email sharklasers.com spam4.me spamgourmet.com temp-mail.io temp-mail.org
  tempail.com tempmail.dev tempmailo.com throwawaymail.com trashmail.com trashmail.de yopmail.com yopmail.fr`
    .trim()
    .split(/\s+/),
);
