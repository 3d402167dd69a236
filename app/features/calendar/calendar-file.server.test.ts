import * as fc from "fast-check";
import { expect, test } from "vitest";

import { plainLine } from "#app/services/base/plain-text.ts";
import { difficultNames } from "#tests/support/fixtures/contacts.ts";
import { hasVobject, readWithVobject } from "#tests/support/program/vobject.ts";

import { formatCalendar } from "./calendar-file.server.ts";
import { dayAfter, followUpTitle } from "./rules.ts";

const baseUrl = "https://meishi.example:8443";

const anyFollowUp = fc.record({
  leadId: fc.uuid(),
  name: fc.oneof(
    fc.string({ unit: "binary", maxLength: 100 }),
    fc.constantFrom("a;b,c\\n:d", 'x"y', "\r\nBEGIN:VEVENT", "名".repeat(100)),
  ),
  day: fc
    .date({ min: new Date("1990-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  changedAt: fc.integer({ min: 0, max: 4e12 }),
  changes: fc.nat(1_000),
});

const followUps = [
  ...difficultNames.map((name, changes) => ({
    leadId: `lead-${changes}`,
    name,
    day: "2026-12-31",
    changedAt: 1,
    changes,
  })),
  ...fc.sample(anyFollowUp, { numRuns: 300, seed: 20_261_123 }),
];

test("each line ends with CRLF and has at most 75 octets of valid UTF-8", () => {
  const bytes = Buffer.from(formatCalendar(followUps, { baseUrl, name: "Follow-ups" }));
  const lines = bytes.toString("latin1").split("\r\n");
  expect(lines.pop()).toBe("");
  expect(lines.filter((line) => line.length > 75 || /[\r\n]/.test(line))).toEqual([]);
  for (const line of lines) new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(line, "latin1"));
});

test("says how often to ask again, as newer and older programs read it", () => {
  const text = formatCalendar([], { baseUrl, name: "Follow-ups" });
  for (const line of ["REFRESH-INTERVAL;VALUE=DURATION:PT4H", "X-PUBLISHED-TTL:PT4H", "X-WR-CALNAME:Follow-ups"])
    expect(text.split("\r\n")).toContain(line);
});

const script = `
import json, sys, datetime, vobject
calendar = vobject.readOne(sys.stdin.buffer.read().decode("utf-8"))
calendar.validate(raiseException=True)
assert any(calendar.components())
def read(event):
    start, end = event.dtstart.value, event.dtend.value
    assert type(start) is datetime.date and type(end) is datetime.date
    assert event.dtstamp.value.utcoffset() == datetime.timedelta(0)
    assert event.dtstamp.value == event.last_modified.value
    return {"uid": event.uid.value, "summary": event.summary.value, "start": start.isoformat(), "end": end.isoformat(),
            "url": event.url.value, "description": event.description.value,
            "changed": event.dtstamp.value.replace(tzinfo=None).isoformat(),
            "sequence": event.sequence.value, "class": event.contents["class"][0].value}
json.dump([read(event) for event in calendar.contents.get("vevent", [])], sys.stdout)`;

test.skipIf(!hasVobject).each([
  ["every event back", followUps],
  ["no event in a calendar without follow-ups, which has the component that every calendar needs", []],
])("a Python program (vobject) reads %s", (_, given) => {
  expect(readWithVobject(script, formatCalendar(given, { baseUrl, name: "Follow-ups" }))).toEqual(
    given.map(({ leadId, name, day, changedAt, changes }) => ({
      uid: `${leadId}@meishi.example`,
      summary: followUpTitle(plainLine(name)),
      start: day,
      end: dayAfter(day),
      url: `${baseUrl}/leads/${leadId}`,
      description: `${baseUrl}/leads/${leadId}`,
      changed: new Date(changedAt).toISOString().slice(0, 19),
      sequence: String(changes),
      class: "PRIVATE",
    })),
  );
});
