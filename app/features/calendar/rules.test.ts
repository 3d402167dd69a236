import { expect, test } from "vitest";

import { dayAfter, googleCalendarUrl, outlookCalendarUrl } from "./rules.ts";

const event = { title: "Follow up: Ada & Søn +1", day: "2026-12-31", url: "https://m.example/leads/1?a=b" };

test("the day after is the next one of the calendar", () => {
  expect(["2026-12-31", "2028-02-28", "2026-03-29"].map(dayAfter)).toEqual(["2027-01-01", "2028-02-29", "2026-03-30"]);
});

test("Google's link is an event of one whole day", () => {
  const url = new URL(googleCalendarUrl(event));
  expect(url.origin + url.pathname).toBe("https://calendar.google.com/calendar/render");
  const expected = { action: "TEMPLATE", text: event.title, dates: "20261231/20270101", details: event.url };
  expect(Object.fromEntries(url.searchParams)).toEqual(expected);
});

test("Outlook's link is an event of one whole day, with spaces that it can read", () => {
  const text = outlookCalendarUrl(event);
  const url = new URL(text);
  expect(url.origin + url.pathname).toBe("https://outlook.office.com/calendar/0/deeplink/compose");
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    path: "/calendar/action/compose",
    rru: "addevent",
    subject: event.title,
    startdt: "2026-12-31",
    enddt: "2027-01-01",
    allday: "true",
    body: event.url,
  });
  expect(text).not.toContain("+");
});
