import { expect, test } from "vitest";

import { cachedRead } from "./cached-read.ts";

function countedReads(read: (n: number) => Promise<number>) {
  let n = 0;
  return cachedRead(5_000, () => read((n += 1)));
}

test("reads once per source until the value has expired or the clock went back", async () => {
  const read = countedReads((n) => Promise.resolve(n));
  const source = {};
  expect(await Promise.all([read(source, 1_000), read(source, 1_000), read(source, 5_999)])).toEqual([1, 1, 1]);
  expect(await read({}, 1_000)).toBe(2);
  expect(await read(source, 6_000)).toBe(3);
  expect(await read(source, 0)).toBe(4);
});

test("doesn't cache a failure, and keeps the newer value when an older read fails late", async () => {
  const slow = Promise.withResolvers<number>();
  const read = countedReads((n) =>
    n === 1 ? slow.promise : n === 2 ? Promise.reject(new Error("away")) : Promise.resolve(n),
  );
  const source = {};
  const first = read(source, 1_000);
  await expect(read(source, 6_000)).rejects.toThrow("away");
  expect(await read(source, 6_000)).toBe(3);
  slow.reject(new Error("late"));
  await expect(first).rejects.toThrow("late");
  expect(await read(source, 6_001)).toBe(3);
});
