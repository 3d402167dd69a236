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

/** For a list below the heading of its day: "14:02". */
export function listTime(time: number, choice: TimeChoice): string {
  return format(time, choice, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

/** The heading of a day in a list: "Today", "Yesterday", "Tuesday, Nov 24" this year, "Tuesday, Nov 25, 2025" before. */
export function dayHeading(time: number, now: number, choice: TimeChoice): string {
  const [day, today] = [dayOf(time, choice), dayOf(now, choice)];
  if (day === today) return "Today";
  if (day === Temporal.PlainDate.from(today).subtract({ days: 1 }).toString()) return "Yesterday";
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  const date = { weekday: "long", month: "short", day: "numeric" } as const;
  return format(time, choice, { ...date, ...(!isThisYear && { year: "numeric" }) });
}

/** The first day of this week: where the owner is, it may start on a Sunday. */
export function startOfWeek(now: number, choice: TimeChoice): string {
  const { firstDay } = new Intl.Locale(choice.locale || "en-US").getWeekInfo();
  const today = Temporal.PlainDate.from(dayOf(now, choice));
  return today.subtract({ days: (today.dayOfWeek - firstDay + 7) % 7 }).toString();
}

function format(time: number, { locale, timeZone }: TimeChoice, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale || "en-US", { ...options, timeZone: timeZone || "UTC" }).format(time);
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
