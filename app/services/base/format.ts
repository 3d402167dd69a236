/**
 * Dates, numbers and lists as English text. The locale and the time zone (UTC) are fixed, so the server and the browser produce the
 * same text. Times are epoch milliseconds.
 */
const utc = { timeZone: "UTC" } as const;
const longDate = new Intl.DateTimeFormat("en-US", { day: "numeric", month: "long", year: "numeric", ...utc });
const shortDate = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", ...utc });
const shortWeekday = new Intl.DateTimeFormat("en-US", { weekday: "short", ...utc });
const timeOfDay = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...utc });
const wholeNumber = new Intl.NumberFormat("en-US");
const conjunction = new Intl.ListFormat("en-GB");

/** "November 21, 2026" */
export function formatDate(time: number): string {
  return longDate.format(time);
}

/** "Nov 21" */
export function formatShortDate(time: number): string {
  return shortDate.format(time);
}

/** "Sat, Nov 21" */
export function formatWeekday(time: number): string {
  return `${shortWeekday.format(time)}, ${formatShortDate(time)}`;
}

/** "14:02" */
export function formatTime(time: number): string {
  return timeOfDay.format(time);
}

/** 129600 -> "129,600" */
export function formatNumber(value: number): string {
  return wholeNumber.format(value);
}

/** 100000 -> "100 kB", 5242880 -> "5 MB", 73000000000 -> "73 GB": decimal units, rounded down. */
export function formatBytes(bytes: number): string {
  const [size, unit]: [number, string] = bytes < 1e6 ? [1e3, "kB"] : bytes < 1e10 ? [1e6, "MB"] : [1e9, "GB"];
  return `${Math.floor(bytes / size)} ${unit}`;
}

/** 99.98 -> "99.98%", 100 -> "100%". Rounds to two decimals; round down before where 100 must not be reached early. */
export function formatPercent(percent: number): string {
  return `${percent === 100 ? "100" : percent.toFixed(2)}%`;
}

/** "1 minute", "1,440 minutes" */
export function formatMinutes(minutes: number): string {
  return `${formatNumber(minutes)} ${minutes === 1 ? "minute" : "minutes"}`;
}

/** The time from `now` to `until`, rounded up to whole minutes: "in one minute", "in 12 minutes". */
export function formatWait(until: number, now: number): string {
  const minutes = Math.max(1, Math.ceil((until - now) / 60_000));
  return minutes === 1 ? "in one minute" : `in ${minutes} minutes`;
}

/** ["Mail", "Files", "Jobs"] -> "Mail, Files and Jobs" */
export function formatList(items: readonly string[]): string {
  return conjunction.format(items);
}
