import { describe, expect, test } from "vitest";

import { entriesOfTab, linkTab } from "./tab-rules.ts";

describe("the tab of a link", () => {
  const free = { canMoveLinks: false };
  const premium = { canMoveLinks: true };
  const isWork = (url: string, label = "") => linkTab({ label, url, tab: null }, free) === "professional";

  test("is Professional by the host or the label, else Personal", () => {
    const work = ["https://www.linkedin.com/in/ada", "gist.github.com/ada", "https://gitlab.example.org"];
    expect(work.filter((url) => !isWork(url))).toEqual([]);
    expect([isWork("https://a.example", "My PORTFOLIO"), isWork("", "Resume 2026")]).toEqual([true, true]);
    const others = [isWork("https://a.example/linkedin", "Photos"), isWork("no address", "GitHub")];
    expect([...others, isWork("mailto:ada@github.com")]).toEqual([false, false, false]);
  });

  test("is Professional for pages that take bookings", () => {
    const isBooking = (url: string) => isWork(url, "Meet me");
    const bookings = `https://calendly.com/ada/30min https://cal.com/ada https://meetings-eu1.hubspot.com/ada https://ada.youcanbook.me
      https://calendar.google.com/calendar/u/0/appointments/schedules/AcZ https://outlook.office.com/bookwithme/user/1
      https://outlook.office365.com/owa/calendar/ada@example.com/bookings/`;
    const others = `https://calendar.google.com/calendar/embed?src=1 https://notcal.com/ada https://www.hubspot.com/products
      https://outlook.office.com/mail mailto:ada@calendly.com`;
    expect(bookings.split(/\s+/).filter((url) => !isBooking(url))).toEqual([]);
    expect(others.split(/\s+/).filter(isBooking)).toEqual([]);
  });

  test("is the owner's choice only while the plan allows one", () => {
    const link = { label: "GitHub", url: "https://github.com/ada" };
    expect(linkTab({ ...link, tab: "personal" }, premium)).toBe("personal");
    expect(linkTab({ ...link, tab: "personal" }, free)).toBe("professional");
    expect(linkTab({ ...link, tab: null }, premium)).toBe("professional");
  });
});

const link = (label: string, tab: "professional" | "personal" = "personal") => ({
  kind: "link" as const,
  label,
  tab,
});
const heading = (label: string) => ({ kind: "heading" as const, label, tab: "personal" as const });
const labels = (entries: ReturnType<typeof link | typeof heading>[], tab: "professional" | "personal") =>
  entriesOfTab(entries, tab).map(({ label }) => label);

test("the entries of a tab include each heading with a link below it, and none without one", () => {
  const entries = [heading("A"), link("1"), link("2", "professional"), heading("B"), link("3", "professional")];
  expect(labels(entries, "personal")).toEqual(["A", "1"]);
  expect(labels(entries, "professional")).toEqual(["A", "2", "B", "3"]);
  expect(labels([heading("A"), heading("B"), link("1"), heading("C")], "personal")).toEqual(["B", "1"]);
  expect(labels([heading("A")], "personal")).toEqual([]);
});
