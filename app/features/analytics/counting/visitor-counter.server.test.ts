import { expect, test } from "vitest";

import { createVisitorCounter } from "./visitor-counter.server.ts";

const browsers = ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Safari", "Safarj"];

test("tells 100,000 visitors apart whose addresses, browsers and owners differ in one character", () => {
  const counter = createVisitorCounter();
  const numbers = new Set<number>();
  let missed = 0;
  for (let n = 0; n < 100_000; n++) {
    const address = `192.0.${Math.floor(n / 600)}.${Math.floor(n / 6) % 100}`;
    const visitor = { ownerId: n % 2 === 0 ? "ada" : "adb", address, userAgent: browsers[n % 3] ?? "" };
    const { isFirst, visitor: number } = counter.noteVisit(visitor, 0);
    if (!isFirst) missed++;
    numbers.add(number);
  }
  // By chance, at this size: none in a thousand runs, and one or two pairs of equal numbers.
  expect(missed).toBeLessThan(2);
  expect(numbers.size).toBeGreaterThan(99_980);
});

test("the end of one text isn't the start of the next", () => {
  const counter = createVisitorCounter();
  const texts = [
    { ownerId: "ada", address: "1", userAgent: "2" },
    { ownerId: "ada1", address: "", userAgent: "2" },
    { ownerId: "ada", address: "12", userAgent: "" },
    { ownerId: "", address: "ada1", userAgent: "2" },
  ];
  expect(texts.map((visitor) => counter.noteVisit(visitor, 0).isFirst)).toEqual([true, true, true, true]);
});
