import { consentPurposes, leadStatuses } from "#app/features/leads/rules.ts";
import type { ConsentPurpose, LeadStatus } from "#app/features/leads/rules.ts";
import { formatCursor, readCursor } from "#app/services/base/page-cursor.ts";
import { plainLine } from "#app/services/base/plain-text.ts";

import { directSource, sourceLabels } from "./messages.ts";
import { isDay, shownLeads } from "#app/features/leads/inbox-rules.ts";
import type { ShownLeads } from "#app/features/leads/inbox-rules.ts";

/** What an owner looks for, as in the address of the inbox; "" where anything matches. */
export type InboxFilter = {
  isSpam: boolean;
  search: string;
  show: ShownLeads | "";
  card: string;
  /** A key of `sourceLabels`, or "direct". */
  source: string;
  status: LeadStatus | "";
  tag: string;
  consent: ConsentPurpose | "withdrawn" | "";
  /** Days in the owner's time zone, both included. */
  from: string;
  to: string;
};

const maxLength = 200;

/** The filter in a query string. Values that mean nothing are left out, so that an old address still shows leads. */
export function readFilter(query: URLSearchParams): InboxFilter {
  const text = (name: string) => plainLine((query.get(name) ?? "").slice(0, maxLength).replaceAll("\u0000", ""));
  const day = (name: string) => (isDay(text(name)) ? text(name) : "");
  const source = text("source");
  return {
    isSpam: query.get("view") === "spam",
    search: text("q"),
    show: shownLeads.find((show) => show === text("show")) ?? "",
    card: text("card"),
    source: source === directSource || (source !== "" && Object.hasOwn(sourceLabels, source)) ? source : "",
    status: leadStatuses.find((status) => status === text("status")) ?? "",
    tag: text("tag"),
    consent: [...consentPurposes, "withdrawn" as const].find((purpose) => purpose === text("consent")) ?? "",
    from: day("from"),
    to: day("to"),
  };
}

/** The query string of a filter, "" for none. */
export function filterQuery({ isSpam, search, ...others }: InboxFilter, more: Record<string, string> = {}): string {
  const pairs = { ...(isSpam && { view: "spam" }), q: search, ...others, ...more };
  const query = new URLSearchParams(Object.entries(pairs).filter(([, value]) => value !== "")).toString();
  return query && `?${query}`;
}

/** The query string of a page of the inbox, its filter and where it starts, from what an address or a form says about it. */
export function listQuery(text: string | null): string {
  const query = new URLSearchParams(text ?? "");
  const before = readCursor(query.get("before"));
  return filterQuery(readFilter(query), before && { before: formatCursor(before) });
}

/** The query string of a page of the inbox that offers to undo a deletion. */
export function withUndo(list: string, deletedAt: number): string {
  return `${list || "?"}${list && "&"}undo=${deletedAt}`;
}

/** The path of a lead's page that leads back to a page of the inbox, by its `listQuery`. */
export function leadPath(id: string, list: string): string {
  return `/leads/${id}${listParam(list)}`;
}

/** The query string with which a lead's pages lead back to a page of the inbox, "" for its start. */
export function listParam(list: string): string {
  return list && `?${new URLSearchParams({ list }).toString()}`;
}

/** The days of a filter as times: from `since`, before `until`. `startOf` returns when a day starts, some days later. */
export function filterTimes(
  { from, to }: Pick<InboxFilter, "from" | "to">,
  startOf: (day: string, days: number) => number,
): { since?: number; until?: number } {
  return { ...(from && { since: startOf(from, 0) }), ...(to && { until: startOf(to, 1) }) };
}

/** How many of the choices below the search are made. */
export function countChoices({ show, card, source, status, tag, consent, from, to }: InboxFilter): number {
  return [show, card, source, status, tag, consent, from, to].filter(Boolean).length;
}
