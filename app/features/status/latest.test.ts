import { expect, test } from "vitest";

import { latest } from "./latest.ts";

function counted(answer: (n: number) => Promise<number>) {
  let n = 0;
  return latest(5_000, () => answer((n += 1)));
}

test("what was read is good for its time, and read anew after it", async () => {
  const read = counted((n) => Promise.resolve(n));
  const source = {};
  expect(await Promise.all([read(source, 1_000), read(source, 1_000), read(source, 5_999)])).toEqual([1, 1, 1]);
  expect(await read(source, 6_000)).toBe(2);
});

test("each source has its own, and a clock that goes back is asked again", async () => {
  const read = counted((n) => Promise.resolve(n));
  const source = {};
  expect(await read(source, 1_000)).toBe(1);
  expect(await read({}, 1_000)).toBe(2);
  expect(await read(source, 0)).toBe(3);
});

test("what fails late takes nothing away from what was read after it", async () => {
  const slow = Promise.withResolvers<number>();
  const read = counted((n) => (n === 1 ? slow.promise : Promise.resolve(n)));
  const source = {};
  const first = read(source, 1_000);
  expect(await read(source, 6_000)).toBe(2);
  slow.reject(new Error("away"));
  await expect(first).rejects.toThrow("away");
  expect(await read(source, 6_001)).toBe(2);
});

test("what failed is not remembered", async () => {
  const read = counted((n) => (n === 1 ? Promise.reject(new Error("away")) : Promise.resolve(n)));
  const source = {};
  await expect(read(source, 1_000)).rejects.toThrow("away");
  expect(await read(source, 1_001)).toBe(2);
});
