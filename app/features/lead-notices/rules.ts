/** How an owner is notified of new leads: at once, in a daily summary, or not at all. */
export const noticeTimings = ["now", "daily", "off"] as const;
export type NoticeTiming = (typeof noticeTimings)[number];

/** Where: by mail, or in a chat. */
export type NoticeChannel = "mail" | "chat";

/** For owners who never opened the settings. */
export const defaultNotice = { timing: "now", hour: 8 } as const;

const minuteMs = 60_000;
/** Leads in quarantine cause at most one mail in this time. */
export const suspectedGapMs = 60 * minuteMs;
const minGapMs = 10 * minuteMs;
const maxGapMs = 60 * minuteMs;

/** A chat has a message for each lead, and one for all that come in within a minute: Slack takes one a second. */
const chatGapMs = minuteMs;

/**
 * How long the mail after this one waits at least: ten minutes, and twice as long each time while leads keep coming, up to an hour. A
 * fair of eight hours causes ten mails, one lead a day causes a notice at once. Times in epoch milliseconds, `sentAt` is that of the last one.
 */
export function nextGap(
  channel: NoticeChannel,
  { sentAt, gapMs, now }: { sentAt: number; gapMs: number; now: number },
): number {
  if (channel === "chat") return chatGapMs;
  const isBusy = gapMs > 0 && now - sentAt < 2 * gapMs;
  return isBusy ? Math.min(2 * gapMs, maxGapMs) : minGapMs;
}

type DueOptions = {
  timing: "now" | "daily";
  hour: number;
  /** "" for UTC. */
  timeZone: string;
  sentAt: number;
  gapMs: number;
  now: number;
};

/** When the owner is notified of the leads that wait. */
export function dueTime({ timing, hour, timeZone, sentAt, gapMs, now }: DueOptions): number {
  return timing === "now" ? Math.max(now, sentAt + gapMs) : nextDailyTime({ hour, timeZone, now });
}

/**
 * The next time at which the hour starts in the time zone. When clocks go forward over it, the day's summary comes an hour later; when they
 * go back, the first of the two hours counts.
 */
export function nextDailyTime({ hour, timeZone, now }: Pick<DueOptions, "hour" | "timeZone" | "now">): number {
  const zone = timeZone || "UTC";
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate();
  const timeOn = (date: Temporal.PlainDate) =>
    date.toZonedDateTime({ timeZone: zone, plainTime: new Temporal.PlainTime(hour) }).epochMilliseconds;
  const next = timeOn(today);
  return next > now ? next : timeOn(today.add({ days: 1 }));
}
