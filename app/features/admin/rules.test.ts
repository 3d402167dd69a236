import { expect, test } from "vitest";

import { readAddressList, readGrantEnd } from "./rules.ts";

test("reads addresses by line, comma and semicolon, each once", () => {
  const typed = " Ada@Example.com\r\n\ngrace@example.com, ada@example.com; Alan Turing <alan@example.com>\n";
  expect(readAddressList(typed)).toEqual({ emails: ["ada@example.com", "grace@example.com", "alan@example.com"] });
});

test("names what isn't an address, at most five of them", () => {
  expect(readAddressList("ada@example.com\ngrace@, Alan")).toEqual({
    error: "Not an email address: grace@, Alan. No one was invited.",
  });
  const bad = Array.from({ length: 7 }, (_, n) => `no ${n}`);
  expect(readAddressList(bad.join("\n"))).toEqual({
    error: "Not an email address: no 0, no 1, no 2, no 3, no 4 and 2 more. No one was invited.",
  });
});

test("accepts 50 addresses and refuses none, 51 and a text that is far too long", () => {
  const list = (count: number) => Array.from({ length: count }, (_, n) => `user${n}@example.com`).join(",");
  expect(readAddressList(list(50))).toMatchObject({ emails: expect.objectContaining({ length: 50 }) });
  expect(readAddressList(" ,\n")).toEqual({ error: "Enter at least one email address." });
  expect(readAddressList(list(51))).toEqual({ error: "Enter at most 50 addresses at a time. These are 51." });
  expect(readAddressList("a".repeat(20_001))).toEqual({ error: "This text is too long for 50 addresses." });
});

const now = Date.UTC(2026, 10, 21, 12);

test("reads the end of a grant: a day as its end, and nothing as no end", () => {
  expect(readGrantEnd("2026-12-31", now)).toBe(Date.UTC(2027, 0, 1) - 1);
  expect(readGrantEnd(" 2026-11-21 ", now)).toBe(Date.UTC(2026, 10, 22) - 1);
  expect(readGrantEnd("", now)).toBeNull();
});

test.each(["2026-11-20", "2027-02-30", "2027-13-01", "12/31/2027", "2027-1-1", "9999-12-31", "premium", "0"])(
  "refuses %s as the end of a grant",
  (typed) => {
    expect(readGrantEnd(typed, now)).toBeUndefined();
  },
);
