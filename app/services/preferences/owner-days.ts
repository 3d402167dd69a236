const msPerDay = 86_400_000;
const msPerHour = 3_600_000;

/** A day as the number of days since 1970-01-01, and an hour of the week from Monday, 0 to 167. */
export type OwnerHour = { day: number; hourOfWeek: number };

/**
 * The owner's day and hour at a time (epoch milliseconds). `timeZone`: "Europe/Berlin"; "" for UTC, and one that this machine doesn't know
 * counts as UTC. On the day when clocks go back, one hour of the week comes twice; when they go forward, one is left out.
 */
export function ownerHourOf(time: number, timeZone: string): OwnerHour {
  const local = time + offsetOf(time, timeZone);
  const day = Math.floor(local / msPerDay);
  return { day, hourOfWeek: weekdayOf(day) * 24 + Math.floor((local - day * msPerDay) / msPerHour) };
}

/** 0 is Monday. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** 20780 -> "2026-11-23" */
export function isoDayOf(day: number): string {
  return new Date(day * msPerDay).toISOString().slice(0, 10);
}

/** "2026-11-23" -> 20780; undefined for anything else. */
export function parseIsoDay(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  const day = Math.floor(time / msPerDay);
  return Number.isNaN(time) || isoDayOf(day) !== text ? undefined : day;
}

/** The first day of the month that is `months` after the one of `day`. */
export function firstOfMonth(day: number, months = 0): number {
  const date = new Date(day * msPerDay);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months) / msPerDay;
}

/** In milliseconds east of UTC. */
function offsetOf(time: number, timeZone: string): number {
  if (timeZone === "") return 0;
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(time)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating one takes much longer than using it. There are some 400 time zones. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = createFormat(timeZone);
  formats.set(timeZone, format);
  return format;
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  const options = {
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  } as const;
  try {
    return new Intl.DateTimeFormat("en-US", { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" });
  }
}
