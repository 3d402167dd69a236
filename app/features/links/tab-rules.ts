import { linkHost } from "./rules.ts";
import type { LinkKind } from "./rules.ts";
import { isShownAt } from "./schedule.ts";
import type { Schedule } from "./schedule.ts";
import { isBookingPage } from "./site-data.ts";

export type ProfileTab = "professional" | "personal";

/** The tab that shows a link: the owner's choice if they may move links, else the rule's. */
export function linkTab(
  link: { label: string; url: string; tab: ProfileTab | null },
  owner: { canMoveLinks: boolean },
): ProfileTab {
  return (owner.canMoveLinks && link.tab) || defaultTab(link);
}

/** The tab in a form field; null for "" and for unknown values. */
export function parseTab(name: string): ProfileTab | null {
  return name === "professional" || name === "personal" ? name : null;
}

export function defaultTab(link: { label: string; url: string }): ProfileTab {
  return isProfessional(link) ? "professional" : "personal";
}

/** By the host (linkedin, github, gitlab, a booking site) or the label (portfolio, resume). */
function isProfessional({ label, url }: { label: string; url: string }): boolean {
  return /linkedin|github|gitlab/.test(linkHost(url)) || /portfolio|resume/i.test(label) || isBookingPage(url);
}

/** The profile's links that a new card starts with: those that visitors see now, on both tabs. */
export function selectCardLinks<Link extends Schedule & { kind: LinkKind; on: boolean }>(
  links: readonly Link[],
  now: number,
): Link[] {
  return links.filter((link) => link.kind !== "heading" && isShownAt(link, now));
}

/**
 * What one tab shows of a profile's visible links, in the owner's order. A heading belongs to the links below it, up to the next heading:
 * it is on each tab that shows one of them.
 */
export function entriesOfTab<Entry extends { kind: LinkKind; tab: ProfileTab }>(
  entries: readonly Entry[],
  tab: ProfileTab,
): Entry[] {
  const candidates = entries.filter((entry) => entry.kind === "heading" || entry.tab === tab);
  return candidates.filter(({ kind }, index) => {
    const next = candidates[index + 1];
    return kind !== "heading" || (next !== undefined && next.kind !== "heading");
  });
}
