import { formatDateTime } from "./local-time.ts";
import { messages } from "./messages.ts";

/** When a link is visible, in epoch milliseconds: at `from` and later, but no longer at `until`. Null means no limit. */
export type Schedule = { from: number | null; until: number | null };

/** Whether visitors see a link at `now`. */
export function isShownAt({ on, ...schedule }: Schedule & { on: boolean }, now: number): boolean {
  const state = scheduleState(schedule, now);
  return on && (state === "always" || state === "running");
}

type ScheduleState = "always" | "waiting" | "running" | "over";

export function scheduleState({ from, until }: Schedule, now: number): ScheduleState {
  if (from === null && until === null) return "always";
  if (until !== null && until <= now) return "over";
  return from !== null && now < from ? "waiting" : "running";
}

/** "Shown from Nov 24, 2026, 09:00 until Dec 1, 2026, 18:00"; `isLocal` as in `formatDateTime`. */
export function formatSchedule({ from, until }: Schedule, isLocal: boolean): string {
  if (from === null && until === null) return "Always shown";
  const ends = [
    from !== null && `from ${formatDateTime(from, isLocal)}`,
    until !== null && `until ${formatDateTime(until, isLocal)}`,
  ];
  return ["Shown", ...ends].filter(Boolean).join(" ");
}

/** What the editor shows beside a link: a status and its time. Both are "" for a link that is visible without an end. */
export function scheduleStatus(schedule: Schedule, now: number, isLocal: boolean): [status: string, time: string] {
  const { from, until } = schedule;
  const format = (time: number | null) => (time === null ? "" : formatDateTime(time, isLocal));
  switch (scheduleState(schedule, now)) {
    case "waiting":
      return ["Not shown yet", `from ${format(from)}`];
    case "over":
      return ["Ended", format(until)];
    default:
      return ["", until === null ? "" : `Shown until ${format(until)}`];
  }
}

/** The next time after `now` at which one of the links appears or disappears; undefined if there is none. */
export function nextBoundary(links: readonly (Schedule & { on: boolean })[], now: number): number | undefined {
  const boundaries = links
    .filter(({ on, ...schedule }) => on && scheduleState(schedule, now) !== "over")
    .flatMap(({ from, until }) => [from, until])
    .filter((time) => time !== null && time > now);
  return boundaries.length > 0 ? Math.min(...boundaries.map(Number)) : undefined;
}

/** Errors of a schedule by field: a year out of range (a typo), or an end that isn't after the start. */
export function findScheduleErrors({ from, until }: Schedule): { from?: string; until?: string } {
  const isFarOff = (time: number | null) => time !== null && !(time >= earliest && time < latest);
  return {
    ...(isFarOff(from) && { from: messages.dateOutOfRange }),
    ...(isFarOff(until) && { until: messages.dateOutOfRange }),
    ...(from !== null && until !== null && !isFarOff(until) && until <= from && { until: messages.endsBeforeStart }),
  };
}

const earliest = Date.UTC(2000, 0, 1);
const latest = Date.UTC(2100, 0, 1);
