import { ownerHourOf, weekdayOf } from "#app/services/preferences/owner-days.ts";

/** The hour of a Monday from which the mail is sent, in the owner's time zone. The task that sends it runs every hour. */
export const sendingHour = 7;

/** Days since 1970-01-01. */
export type Week = { monday: number; sunday: number };

/** The Monday of the first mail of someone who wants them now (epoch milliseconds). `timeZone`: "" for UTC. */
export function nextMonday(now: number, timeZone: string): number {
  return mondayOf(now, timeZone) + 7;
}

/**
 * The Monday whose mail is due: this week's, from the hour of sending on; undefined before. `monday`: of the next mail, as stored. After an
 * outage of weeks, only the latest is sent.
 */
export function dueMonday({ monday, now, timeZone }: { monday: number; now: number; timeZone: string }) {
  const current = mondayOf(now, timeZone);
  return monday > current || ownerHourOf(now, timeZone).hourOfWeek < sendingHour ? undefined : current;
}

/** The week that a Monday's mail is about. */
export function weekBefore(monday: number): Week {
  return { monday: monday - 7, sunday: monday - 1 };
}

function mondayOf(now: number, timeZone: string): number {
  const { day } = ownerHourOf(now, timeZone);
  return day - weekdayOf(day);
}
