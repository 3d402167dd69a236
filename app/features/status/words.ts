import { MS_PER_MINUTE } from "./rules.ts";
import type { Day, Stretch } from "./uptime.ts";
import type { CheckName } from "./rules.ts";

// Put together by hand: Intl's words differ between browsers, and the page says the same on the server and there. All times are UTC.
const MONTHS = "January February March April May June July August September October November December".split(" ");
const WEEKDAYS = "Sun Mon Tue Wed Thu Fri Sat".split(" ");
const MS_PER_DAY = 86_400_000;

/** "21 November 2026" */
export function dateWords(time: number): string {
  const date = new Date(time);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** "21 Nov" */
export function shortDate(time: number): string {
  const date = new Date(time);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]?.slice(0, 3)}`;
}

/** "Sat 21 Nov", of a day counted from 1970. */
export function dayWords(day: number): string {
  const time = day * MS_PER_DAY;
  return `${WEEKDAYS[new Date(time).getUTCDay()]} ${shortDate(time)}`;
}

/** "14:02" */
export function clockWords(time: number): string {
  return new Date(time).toISOString().slice(11, 16);
}

/** 129600 -> "129,600" */
export function numberWords(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** "1 minute", "1,440 minutes" */
export function minuteWords(minutes: number): string {
  return `${numberWords(minutes)} ${minutes === 1 ? "minute" : "minutes"}`;
}

/** "12 min", "3 h 5 min", "2 d 4 h" */
export function spanWords(minutes: number): string {
  const [days, hours, rest] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24, minutes % 60];
  const parts = days > 0 ? [`${days} d`, hours && `${hours} h`] : [hours && `${hours} h`, rest && `${rest} min`];
  return parts.filter(Boolean).join(" ");
}

/** "99.98%", "100%": cut off before, never rounded here. */
export function percentWords(percent: number): string {
  return `${percent === 100 ? "100" : percent.toFixed(2)}%`;
}

/** What a day's bar says: "1,440 minutes, all well", "1,411 of 1,440 minutes well, 29 failing". */
export function dayOutcome({ minutes, good, failing, gap }: Day): string {
  if (minutes === 0) return "before the first record";
  if (good === minutes) return `${minuteWords(minutes)}, all well`;
  const wrong = [failing > 0 && `${numberWords(failing)} failing`, gap > 0 && `${numberWords(gap)} not recorded`];
  return [`${numberWords(good)} of ${minuteWords(minutes)} well`, ...wrong].filter(Boolean).join(", ");
}

/** "12 Nov, 14:02 to 14:31"; with the second date where it is another, and "until now" while it lasts. */
export function stretchTime({ from, until, isOver }: Stretch): string {
  const [start, end] = [from * MS_PER_MINUTE, until * MS_PER_MINUTE];
  const first = `${shortDate(start)}, ${clockWords(start)}`;
  if (!isOver) return `${first} until now`;
  const isSameDay = shortDate(start) === shortDate(end);
  return `${first} to ${isSameDay ? "" : `${shortDate(end)}, `}${clockWords(end)}`;
}

export function stretchCause({ kind, checks }: Stretch): string {
  return kind === "gap" ? "Nothing recorded" : `${listWords(checks.map((name) => checkWords[name].name))} failing`;
}

/** "Mail", "Mail and Files", "Mail, Files and Jobs" */
export function listWords(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

export const checkWords: Record<CheckName, { name: string; does: string }> = {
  database: { name: "Database", does: "Takes a row and gives it back" },
  files: { name: "Files", does: "A small file is kept, read and removed" },
  mail: { name: "Mail", does: "The mail server lets us in, or a mail can be kept" },
  jobs: { name: "Background work", does: "Nothing that is due waits longer than five minutes" },
};
