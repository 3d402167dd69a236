import { dateWords } from "./date-words.ts";
import { messages } from "./messages.ts";

/** When a link is shown, in epoch milliseconds: from `from` on, and no longer at `until`. Null: no beginning, no end. */
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

/** "Shown from 24 Nov 2026, 09:00 until 1 Dec 2026, 18:00"; `isLocal` as for `dateWords`. */
export function scheduleWords({ from, until }: Schedule, isLocal: boolean): string {
  if (from === null && until === null) return "Always shown";
  const ends = [
    from !== null && `from ${dateWords(from, isLocal)}`,
    until !== null && `until ${dateWords(until, isLocal)}`,
  ];
  return ["Shown", ...ends].filter(Boolean).join(" ");
}

/** What the owner is told beside a link of theirs: how it stands now, and until when. Both "" for one that simply is shown. */
export function scheduleMark(schedule: Schedule, now: number, isLocal: boolean): [mark: string, more: string] {
  const { from, until } = schedule;
  const words = (time: number | null) => (time === null ? "" : dateWords(time, isLocal));
  switch (scheduleState(schedule, now)) {
    case "waiting":
      return ["Not shown yet", `from ${words(from)}`];
    case "over":
      return ["Over", `since ${words(until)}`];
    default:
      return ["", until === null ? "" : `Shown until ${words(until)}`];
  }
}

/** The next moment after `now` at which one of these links comes or goes; undefined when none ever will. */
export function nextBoundary(links: readonly (Schedule & { on: boolean })[], now: number): number | undefined {
  const coming = links
    .filter(({ on, ...schedule }) => on && scheduleState(schedule, now) !== "over")
    .flatMap(({ from, until }) => [from, until])
    .filter((time) => time !== null && time > now);
  return coming.length > 0 ? Math.min(...coming.map(Number)) : undefined;
}

/** What is wrong with a schedule, by its field: a year far off is a slip of the finger, an end before the beginning shows nothing. */
export function scheduleProblems({ from, until }: Schedule): { from?: string; until?: string } {
  const isFarOff = (time: number | null) => time !== null && !(time >= earliest && time < latest);
  return {
    ...(isFarOff(from) && { from: messages.dateFarOff }),
    ...(isFarOff(until) && { until: messages.dateFarOff }),
    ...(from !== null && until !== null && !isFarOff(until) && until <= from && { until: messages.endsBeforeStart }),
  };
}

const earliest = Date.UTC(2000, 0, 1);
const latest = Date.UTC(2100, 0, 1);
