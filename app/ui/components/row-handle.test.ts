import { expect, test } from "vitest";

import { positionAfterDrag } from "./row-handle.tsx";

test("a dragged row passes a neighbor when its edge crosses the middle", () => {
  const rows = [0, 60, 120].map((top) => ({ top, height: 60 }));
  expect(positionAfterDrag(rows, 0, 29)).toBe(0);
  expect(positionAfterDrag(rows, 0, 31)).toBe(1);
  expect(positionAfterDrag(rows, 0, 500)).toBe(2);
  expect(positionAfterDrag(rows, 2, -31)).toBe(1);
  expect(positionAfterDrag(rows, 2, -500)).toBe(0);
});
