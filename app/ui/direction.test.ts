import { expect, test } from "vitest";

import { directionOf } from "./direction.ts";

test.each([
  ["محمد", "rtl"],
  ["דנה Levi", "rtl"],
  ["12 – محمد", "rtl"],
  ["Demo محمد", undefined],
  ["山田", undefined],
  ["🦊", undefined],
  ["", undefined],
])("%j reads %s", (text, direction) => {
  expect(directionOf(text)).toBe(direction);
});
