import { expect, test } from "vitest";

import { placeAfter } from "./row-drag.ts";

test("a dragged row passes its neighbours when its edge crosses their middle", () => {
  const rows = [0, 60, 120].map((top) => ({ top, height: 60 }));
  expect(placeAfter(rows, 0, 29)).toBe(0);
  expect(placeAfter(rows, 0, 31)).toBe(1);
  expect(placeAfter(rows, 0, 500)).toBe(2);
  expect(placeAfter(rows, 2, -31)).toBe(1);
  expect(placeAfter(rows, 2, -500)).toBe(0);
});
