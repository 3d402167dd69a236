import { expect, test } from "vitest";

import { processorTime } from "#tests/support/processor-time.ts";

import { phoneAddress } from "./phone-address.ts";

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
])("a phone dials what %j means", (written, address) => {
  expect(phoneAddress(written)).toBe(address);
});

test("a number can't become another kind of address", () => {
  expect(phoneAddress('"><script>?x=1&y\ud800')).toMatch(/^tel:[\w%+;=,*]*$/);
});

test("a megabyte of accents is no number, and costs no time", async () => {
  const { answer, seconds } = await processorTime(() => phoneAddress("\u0316\u0301".repeat(500_000)));
  expect(answer.length).toBeLessThan(2_000);
  expect(seconds).toBeLessThan(1);
});
