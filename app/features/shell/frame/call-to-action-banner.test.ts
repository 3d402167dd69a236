import { expect, test } from "vitest";

import { dismissalEnd, isDismissed } from "./call-to-action-banner.tsx";

const now = Date.UTC(2026, 10, 21, 9);
const day = 24 * 60 * 60 * 1000;

test("a dismissal lasts exactly 7 days", () => {
  const stored = dismissalEnd(now);
  expect(Number(stored)).toBe(now / 1000 + 7 * 24 * 60 * 60);
  for (const later of [0, day, 7 * day - 1]) expect(isDismissed(stored, now + later)).toBe(true);
  for (const later of [7 * day, 8 * day]) expect(isDismissed(stored, now + later)).toBe(false);
});

test("the banner is shown without a stored time, when it is over, and when it isn't ours", () => {
  const foreign = ["", "never", "-1", "1e99", "NaN", '{"until":1}', String(now + day), "99999999999"];
  for (const stored of [null, String(now / 1000 - 1), ...foreign])
    expect(isDismissed(stored, now), `${stored}`).toBe(false);
});
