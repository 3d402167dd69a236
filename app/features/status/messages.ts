import {
  formatDate,
  formatList,
  formatMinutes,
  formatNumber,
  formatShortDate,
  formatTime,
  formatWeekday,
} from "#app/services/base/format.ts";

import { msPerMinute } from "./rules.ts";
import type { CheckName, DayCounts, Incident, MinuteCounts } from "./rules.ts";

const msPerDay = 86_400_000;

/** "Sat, Nov 21" for a day number (`time / 86400000`). */
export function formatDay(day: number): string {
  return formatWeekday(day * msPerDay);
}

/** "12 min", "3 h 5 min", "2 d 4 h" */
export function formatDuration(minutes: number): string {
  const [days, hours, rest] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24, minutes % 60];
  const parts = days > 0 ? [`${days} d`, hours && `${hours} h`] : [hours && `${hours} h`, rest && `${rest} min`];
  return parts.filter(Boolean).join(" ");
}

/** "1,440 minutes, no downtime", "1,411 of 1,440 minutes up, 29 failing". */
export function describeDay(day: DayCounts): string {
  if (day.minutes === 0) return "no data yet";
  if (day.good === day.minutes) return `${formatMinutes(day.minutes)}, no downtime`;
  return `${formatNumber(day.good)} of ${formatMinutes(day.minutes)} up, ${describeProblems(day)}`;
}

/** "29 failing, 3 not recorded" */
export function describeProblems({ failing, gap }: MinuteCounts): string {
  const parts = [failing > 0 && `${formatNumber(failing)} failing`, gap > 0 && `${formatNumber(gap)} not recorded`];
  return parts.filter(Boolean).join(", ");
}

/** "Nov 12, 14:02 to 14:31"; with a second date when it ended on another day, and "until now" while it continues. */
export function formatIncidentTime({ from, until, isOver }: Incident): string {
  const [start, end] = [from * msPerMinute, until * msPerMinute];
  const first = `${formatShortDate(start)}, ${formatTime(start)}`;
  if (!isOver) return `${first} until now`;
  const isSameDay = formatShortDate(start) === formatShortDate(end);
  return `${first} to ${isSameDay ? "" : `${formatShortDate(end)}, `}${formatTime(end)}`;
}

export function describeIncident({ kind, checks }: Incident): string {
  return kind === "gap" ? "No checks recorded" : `${formatList(checks.map((name) => checkLabels[name].name))} failing`;
}

export const checkLabels: Record<CheckName, { name: string; description: string }> = {
  database: { name: "Database", description: "Read and write test" },
  files: { name: "Files", description: "Store, read and delete test" },
  mail: { name: "Email", description: "Mail server sign-in, or local storage" },
  jobs: {
    name: "Background jobs",
    description: "No job is more than five minutes late, and the server’s clock is right",
  },
};

/** The last backup that was made and checked. `days`: how long each is kept. */
export function describeBackup({ createdAt, days }: { createdAt: number; days: number }): string {
  const kept = days === 1 ? "a day" : `${formatNumber(days)} days`;
  return `Everything is backed up every day, and each backup is kept for ${kept}. The last one was made and checked on ${formatDate(createdAt)}.`;
}
