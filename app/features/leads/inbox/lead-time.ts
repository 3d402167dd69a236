/** Days and times of leads as their owner reads them. Only on the server: the browser may know other names. */

type TimeChoice = { locale: string; timeZone: string };

/** "2026-11-23": the day of a time (epoch milliseconds) in the owner's time zone. */
export function dayOf(time: number, { timeZone }: TimeChoice): string {
  return Temporal.Instant.fromEpochMilliseconds(time)
    .toZonedDateTimeISO(timeZone || "UTC")
    .toPlainDate()
    .toString();
}

/** When a day starts in the owner's time zone, in epoch milliseconds; with `days`, that many days later. */
export function startOfDay(day: string, { timeZone }: Pick<TimeChoice, "timeZone">, days = 0): number {
  return Temporal.PlainDate.from(day)
    .add({ days })
    .toZonedDateTime(timeZone || "UTC").epochMilliseconds;
}

/** For a list: "14:02" today, "Nov 22" this year, "Nov 22, 2025" before. */
export function listTime(time: number, now: number, choice: TimeChoice): string {
  const [day, today] = [dayOf(time, choice), dayOf(now, choice)];
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(choice.locale || "en-US", { ...options, timeZone: choice.timeZone || "UTC" }).format(time);
  if (day === today) return format({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  return format({ month: "short", day: "numeric", ...(!isThisYear && { year: "numeric" }) });
}

/** "2026-11-23 14:02" in the owner's time zone, which spreadsheets take for a time and sort. */
export function sortableTime(time: number, { timeZone }: Pick<TimeChoice, "timeZone">): string {
  return Temporal.Instant.fromEpochMilliseconds(time)
    .toZonedDateTimeISO(timeZone || "UTC")
    .toPlainDateTime()
    .toString({ smallestUnit: "minute" })
    .replace("T", " ");
}

/** "Dec 24, 2026" for a day, whatever the time zone. */
export function formatDay(day: string, { locale }: Pick<TimeChoice, "locale">): string {
  const time = Date.parse(`${day}T00:00:00Z`);
  return new Intl.DateTimeFormat(locale || "en-US", { dateStyle: "medium", timeZone: "UTC" }).format(time);
}
