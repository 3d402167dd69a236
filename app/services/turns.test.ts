import { expect, test } from "vitest";

import { takeTurns } from "./turns.ts";

test("who waits is served in order, one at a time", async () => {
  const turns = takeTurns(1000, "the pen");
  const order: number[] = [];
  await Promise.all(
    [1, 2, 3].map(async (n) => {
      await turns.take();
      order.push(n);
      await Promise.resolve();
      order.push(n);
      turns.give();
    }),
  );
  expect(order).toEqual([1, 1, 2, 2, 3, 3]);
});

test("who waits too long is told, and is not served afterwards", async () => {
  const turns = takeTurns(20, "the pen");
  await turns.take();
  await expect(turns.take()).rejects.toThrow("Waited 0.02 s for the pen");
  turns.give();
  await turns.take();
});
