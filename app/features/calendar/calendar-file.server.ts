import ICAL from "ical.js";

import { foldLine } from "#app/services/base/fold-line.ts";
import { plainLine } from "#app/services/base/plain-text.ts";

import { dayAfter, followUpTitle } from "./rules.ts";
import type { FollowUp } from "./rules.ts";

/** How often calendars should ask again. Few do: Google asks every few hours. */
const refreshInterval = "PT4H";

/** A calendar of follow-up dates (RFC 5545) in UTF-8. The same dates make the same text, whenever it is made. */
export function formatCalendar(followUps: readonly FollowUp[], { baseUrl, name }: { baseUrl: string; name?: string }) {
  const calendar = new ICAL.Component("vcalendar");
  calendar.addPropertyWithValue("version", "2.0");
  calendar.addPropertyWithValue("prodid", "-//Meishi//Follow-up dates//EN");
  calendar.addPropertyWithValue("calscale", "GREGORIAN");
  calendar.addPropertyWithValue("method", "PUBLISH");
  if (name !== undefined) {
    // RFC 7986 §5.1 and §5.7, and what programs read that are older.
    calendar.addPropertyWithValue("name", name);
    calendar.addPropertyWithValue("x-wr-calname", name);
    const refresh = new ICAL.Property("refresh-interval");
    refresh.resetType("duration");
    refresh.setValue(ICAL.Duration.fromString(refreshInterval));
    calendar.addProperty(refresh);
    calendar.addPropertyWithValue("x-published-ttl", refreshInterval);
  }
  for (const followUp of followUps) calendar.addSubcomponent(toEvent(followUp, baseUrl));
  // RFC 5545 §3.6: a calendar has at least one component. A time zone isn't shown.
  if (followUps.length === 0) calendar.addSubcomponent(ICAL.Component.fromString(utc));
  // ical.js forgets the space of a continuation line, so that its lines have 76 octets (RFC 5545 §3.1: 75).
  const lines = calendar.toString().replaceAll("\r\n ", "").split("\r\n");
  return lines.map((line) => `${foldLine(line)}\r\n`).join("");
}

const utc = [
  "BEGIN:VTIMEZONE\r\nTZID:Etc/UTC\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000",
  "TZOFFSETFROM:+0000\r\nTZOFFSETTO:+0000\r\nEND:STANDARD\r\nEND:VTIMEZONE",
].join("\r\n");

function toEvent({ leadId, name, day, changedAt, changes }: FollowUp, baseUrl: string) {
  const event = new ICAL.Component("vevent");
  const url = `${baseUrl}/leads/${encodeURIComponent(leadId)}`;
  const changed = ICAL.Time.fromJSDate(new Date(changedAt), true);
  event.addPropertyWithValue("uid", `${leadId}@${new URL(baseUrl).hostname}`);
  // RFC 5545 §3.8.7.2: with METHOD it is when this version was made.
  event.addPropertyWithValue("dtstamp", changed);
  event.addPropertyWithValue("last-modified", changed);
  event.addPropertyWithValue("sequence", changes);
  event.addPropertyWithValue("dtstart", ICAL.Time.fromDateString(day));
  event.addPropertyWithValue("dtend", ICAL.Time.fromDateString(dayAfter(day)));
  event.addPropertyWithValue("summary", followUpTitle(plainLine(name)));
  // Google shows the description alone.
  event.addPropertyWithValue("description", url);
  event.addPropertyWithValue("url", url);
  event.addPropertyWithValue("class", "PRIVATE");
  event.addPropertyWithValue("transp", "TRANSPARENT");
  return event;
}
