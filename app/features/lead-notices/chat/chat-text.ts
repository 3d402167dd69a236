import { plainLine, shortened } from "#app/services/base/plain-text.ts";

/** A lead as a message shows it. Undefined details: its visitor agreed that only the owner gets them. */
export type ChatLead = {
  id: string;
  details: { name: string; company: string; email: string; phone: string; note: string } | undefined;
};

/** In UTF-16 code units. Discord takes 2,000; Slack and others take more. */
const maxLength = 1_900;
const maxFieldLength = 100;
const maxNoteLength = 300;
const maxListed = 20;

/** A message about new leads, at least one, in Slack's mrkdwn. */
export function leadsText(leads: readonly ChatLead[], baseUrl: string): string {
  const [first] = leads;
  if (first && leads.length === 1) return oneLeadText(first, baseUrl);
  const title = `${leads.length} new leads`;
  const rest = (count: number) =>
    `${count === 0 ? "" : `…and ${count} more. `}${link(`${baseUrl}/leads`, "Open your leads")}`;
  const lines: string[] = [];
  for (const lead of leads.slice(0, maxListed)) {
    const line = `• ${titleOf(lead)} ${link(leadUrl(lead, baseUrl), "Open")}`;
    if ([title, ...lines, line, rest(leads.length)].join("\n").length > maxLength) break;
    lines.push(line);
  }
  return [title, ...lines, rest(leads.length - lines.length)].join("\n");
}

function oneLeadText(lead: ChatLead, baseUrl: string): string {
  const { details } = lead;
  const contact =
    details && [details.email, details.phone].filter(Boolean).map((text) => chatText(text, maxFieldLength));
  return [
    `New lead: ${titleOf(lead)}`,
    contact?.join(" · "),
    details?.note && `Note: ${chatText(details.note, maxNoteLength)}`,
    link(leadUrl(lead, baseUrl), "Open the lead"),
  ]
    .filter(Boolean)
    .join("\n");
}

function titleOf({ details }: ChatLead): string {
  if (!details) return "a visitor who shared their contact with you only";
  const names = [details.name, details.company].map((text) => chatText(text, maxFieldLength)).filter(Boolean);
  return names.join(", ") || "a visitor without a name";
}

function leadUrl({ id }: ChatLead, baseUrl: string): string {
  return `${baseUrl}/leads/${encodeURIComponent(id)}`;
}

function link(url: string, label: string): string {
  return `<${url}|${label}>`;
}

/** Invisible, and without a meaning for chats: it separates what would be a command. */
const separator = "\u200b";

/**
 * A visitor's text on one line of at most `limit` UTF-16 code units, as text alone: Slack's commands (`<!here>`, `<@U1>`, `<https://…|text>`) start with "<", and it asks to escape
 * "&", "<" and ">". Mattermost and Rocket.Chat also take "@all" and Markdown's "[text](address)", Discord "@everyone" within a word.
 */
export function chatText(text: string, limit: number): string {
  const line = plainLine(text);
  for (let length = limit; ; length = Math.floor(length * 0.8)) {
    const shown = withoutCommands(shortened(line, length));
    // Escaped, a character may have five.
    if (shown.length <= limit || length < 2) return shown;
  }
}

function withoutCommands(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replace(/@(?=everyone|here|channel|all)|(?<![a-z0-9_])@/gi, `@${separator}`)
    .replaceAll("](", `]${separator}(`);
}
