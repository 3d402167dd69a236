import { expect, test } from "vitest";

import { cachedRead } from "./cached-read.ts";

function countedReads(read: (n: number) => Promise<number>) {
  let n = 0;
  return cachedRead(5_000, () => read((n += 1)));
}

test("reads again once the cached value has expired", async () => {
  const read = countedReads((n) => Promise.resolve(n));
  const source = {};
  expect(await Promise.all([read(source, 1_000), read(source, 1_000), read(source, 5_999)])).toEqual([1, 1, 1]);
  expect(await read(source, 6_000)).toBe(2);
});

test("caches per source, and reads again when the clock went back", async () => {
  const read = countedReads((n) => Promise.resolve(n));
  const source = {};
  expect(await read(source, 1_000)).toBe(1);
  expect(await read({}, 1_000)).toBe(2);
  expect(await read(source, 0)).toBe(3);
});

test("keeps the newer value when an older read fails late", async () => {
  const slow = Promise.withResolvers<number>();
  const read = countedReads((n) => (n === 1 ? slow.promise : Promise.resolve(n)));
  const source = {};
  const first = read(source, 1_000);
  expect(await read(source, 6_000)).toBe(2);
  slow.reject(new Error("away"));
  await expect(first).rejects.toThrow("away");
  expect(await read(source, 6_001)).toBe(2);
});

test("doesn't cache a failure", async () => {
  const read = countedReads((n) => (n === 1 ? Promise.reject(new Error("away")) : Promise.resolve(n)));
  const source = {};
  await expect(read(source, 1_000)).rejects.toThrow("away");
  expect(await read(source, 1_001)).toBe(2);
});
