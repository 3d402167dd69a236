import { expect, test } from "vitest";

import { timeInScans } from "#tests/support/measurements.ts";

import { phoneUrl } from "./card-view-model.ts";

test.each([
  ["+1 555 0100", "tel:+15550100"],
  ["+44 (0)20 7946 0000", "tel:+442079460000"],
  ["(020) 7946-0000", "tel:02079460000"],
  ["+1 (555) 010.0100 ext. 5", "tel:+15550100100;ext=5"],
  ["555/0100 x42", "tel:5550100;ext=42"],
  ["+1 555 0100,,123", "tel:+15550100,,123"],
  ["+81 3–1234–5678", "tel:+81312345678"],
  ["1-800-FLOWERS", "tel:1800FLOWERS"],
  ["*100#", "tel:*100%23"],
])("dials the number in %j", (written, address) => {
  expect(phoneUrl(written)).toBe(address);
});

test("never turns a number into another kind of URL, and shortens a megabyte of accents quickly", async () => {
  expect(phoneUrl('"><script>?x=1&y\ud800')).toMatch(/^tel:[\w%+;=,*]*$/);
  const accents = "\u0316\u0301".repeat(500_000);
  expect(phoneUrl(accents).length).toBeLessThan(2_000);
  expect(await timeInScans(() => phoneUrl(accents), 50)).toBeLessThan(50);
});
