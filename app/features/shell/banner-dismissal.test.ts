import { expect, test } from "vitest";

import { dismissalAt, isDismissed } from "./banner-dismissal.ts";

const now = Date.UTC(2026, 10, 21, 9);
const day = 24 * 60 * 60 * 1000;

test("a dismissal is stored as seconds, and holds for 7 days and not a moment longer", () => {
  const stored = dismissalAt(now);
  expect(Number(stored)).toBe(now / 1000 + 7 * 24 * 60 * 60);
  for (const later of [0, day, 7 * day - 1]) expect(isDismissed(stored, now + later)).toBe(true);
  for (const later of [7 * day, 8 * day]) expect(isDismissed(stored, now + later)).toBe(false);
});

test("the banner is there unless the time that is stored is to come", () => {
  expect(isDismissed(null, now)).toBe(false);
  expect(isDismissed(String(now / 1000 - 1), now)).toBe(false);
});

test("what is no time of ours keeps nothing away", () => {
  const foreign = [
    "",
    "never",
    "-1",
    "1e99",
    "Infinity",
    "NaN",
    "[object Object]",
    '{"until":1}',
    String(now + day),
    "99999999999",
  ];
  for (const stored of foreign) expect(isDismissed(stored, now), stored).toBe(false);
});
