import { formatNumber } from "#app/services/base/format.ts";
import { plainLine } from "#app/services/base/plain-text.ts";

export const inboxPageSize = 50;

/** What a filter shows: leads that weren't opened, or whose follow-up date is due or later. */
export const shownLeads = ["unread", "due", "planned"] as const;
export type ShownLeads = (typeof shownLeads)[number];

/** After this time a deletion can't be undone any more; 5 s longer than owners are told, for a slow network. */
export const undoMs = 15_000;
/** What owners are told. */
export const undoSeconds = 10;

/** Above this the header shows "99+". */
export const maxCounted = 99;

/** Above this the number of leads in quarantine isn't exact. */
export const maxSpamCounted = 10_000;

/** 1 -> "1 lead waits for your review", 10001 -> "More than 10,000 leads wait for your review" */
export function reviewLabel(count: number): string {
  if (count > maxSpamCounted) return `More than ${formatNumber(maxSpamCounted)} leads wait for your review`;
  return count === 1 ? "1 lead waits for your review" : `${formatNumber(count)} leads wait for your review`;
}

export const reviewHint =
  "They look like spam, or more came in than usual. What you don’t move to your inbox is deleted after 30 days.";

/** 100 -> "99+" */
export function countLabel(count: number): string {
  return count > maxCounted ? `${maxCounted}+` : String(count);
}

/** In UTF-16 code units, like those of the visitor's own texts. */
export const maxTagLength = 30;
export const maxTags = 20;
export const maxOwnerNote = 5_000;

/** "Fair, hot lead,, fair" -> ["Fair", "hot lead"]: in their order, each once whatever its case. No more are read than are refused. */
export function readTags(typed: string): string[] {
  const tags = new Map<string, string>();
  for (const part of new Set(typed.split(/[,;\n]/))) {
    const tag = plainLine(part);
    if (tag && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag);
    if (tags.size > maxTags) break;
  }
  return [...tags.values()];
}

/** Why tags are refused; undefined when they are fine. */
export function tagProblem(tags: readonly string[]): string | undefined {
  if (tags.some((tag) => tag.length > maxTagLength)) return `Use at most ${maxTagLength} characters for a tag.`;
  return tags.length > maxTags ? `Use at most ${maxTags} tags.` : undefined;
}

/** What a lead is called in lists: the name, or the first detail there is. */
export function leadTitle(lead: { name: string; email: string; phone: string; company: string }): string {
  return lead.name || lead.company || lead.email || lead.phone || "No name";
}

/** A day, "2026-12-24", that exists. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
