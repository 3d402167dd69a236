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

test("who waits many times waits behind the others", async () => {
  const turns = takeTurns(1000, "the pen");
  const order: string[] = [];
  const write = async (whose: string, what: string) => {
    await turns.take(whose);
    order.push(what);
    turns.give();
  };
  await turns.take("ada");
  const all = ["a1", "a2", "a3", "b1", "b2", "c1"].map((what) =>
    write(what.startsWith("a") ? "ada" : what.startsWith("b") ? "bo" : "cy", what),
  );
  turns.give();
  await Promise.all(all);
  expect(order).toEqual(["b1", "c1", "a1", "b2", "a2", "a3"]);
});

test("who waits too long is told, and is not served afterwards", async () => {
  const turns = takeTurns(20, "the pen");
  await turns.take();
  await expect(turns.take()).rejects.toThrow("Waited 0.02 s for the pen");
  turns.give();
  await turns.take();
});
