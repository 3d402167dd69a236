/** A day with something to do: following up on a lead. Times in epoch milliseconds. */
export type FollowUp = {
  leadId: string;
  /** A name or a company; "" without either. */
  name: string;
  /** "2026-12-24" */
  day: string;
  changedAt: number;
  /** How often the day was changed. */
  changes: number;
};

export function followUpTitle(name: string): string {
  return name === "" ? "Follow up on a lead" : `Follow up: ${name}`;
}

/** The day after: "2026-12-31" -> "2027-01-01". The end of an all-day event is the first day after it (RFC 5545 §3.6.1). */
export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

/** A calendar has at most this many events, those that are due first. */
export const maxEvents = 500;

/** Dates that are longer ago aren't in the calendar any more. */
export const pastDays = 30;

type CalendarEvent = { title: string; day: string; url: string };

/** Opens Google's form for a new event, filled in. Nothing is sent before someone opens the link. */
export function googleCalendarUrl({ title, day, url }: CalendarEvent): string {
  const dates = [day, dayAfter(day)].map((date) => date.replaceAll("-", "")).join("/");
  const query = new URLSearchParams({ action: "TEMPLATE", text: title, dates, details: url });
  return `https://calendar.google.com/calendar/render?${query}`;
}

/** The same in Outlook on the web. It shows "+" as it is, so spaces must be "%20". */
export function outlookCalendarUrl({ title, day, url }: CalendarEvent): string {
  const query = { path: "/calendar/action/compose", rru: "addevent", allday: "true", subject: title };
  const pairs = Object.entries({ ...query, startdt: day, enddt: dayAfter(day), body: url });
  const text = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return `https://outlook.office.com/calendar/0/deeplink/compose?${text}`;
}
