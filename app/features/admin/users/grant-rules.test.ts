import { expect, test } from "vitest";

import { readGrantEnd } from "./grant-rules.ts";

const now = Date.UTC(2026, 10, 21, 12);

test("reads a day as its end, and nothing as no end", () => {
  expect(readGrantEnd("2026-12-31", now)).toBe(Date.UTC(2027, 0, 1) - 1);
  expect(readGrantEnd(" 2026-11-21 ", now)).toBe(Date.UTC(2026, 10, 22) - 1);
  expect(readGrantEnd("", now)).toBeNull();
});

test.each(["2026-11-20", "2027-02-30", "2027-13-01", "12/31/2027", "2027-1-1", "9999-12-31", "premium", "0"])(
  "refuses %s",
  (typed) => {
    expect(readGrantEnd(typed, now)).toBeUndefined();
  },
);
