import { setTimeout as pause } from "node:timers/promises";

import { expect, test } from "vitest";

import type { BusMessage } from "./bus.server.ts";
import { createPictures } from "./pictures.server.ts";

test("fifty who ask at once for one picture get it drawn once", async () => {
  const { pictures, wish, drawn } = studio();
  const all = await Promise.all(Array.from({ length: 50 }, () => pictures.make(wish("Ada"))));
  expect(new Set(all).size).toBe(1);
  expect(drawn).toEqual(["Ada"]);
  expect(await pictures.make(wish("Ada"))).toBe(all[0]);
  expect(drawn).toHaveLength(1);
});

test("two are drawn at a time, a bounded number waits, the others are told to come back", async () => {
  const { pictures, wish, drawn, most } = studio({ maxWaiting: 3 });
  const all = await Promise.all(Array.from({ length: 8 }, (_, index) => pictures.make(wish(`picture ${index}`))));
  expect(all.filter((made) => made === "busy")).toHaveLength(3);
  expect(drawn).toHaveLength(5);
  expect(most()).toBe(2);
  expect(await pictures.make(wish("picture 7"))).toHaveProperty("type", "text/plain");
});

test("what shows something else is another picture, with another tag", async () => {
  const { pictures, wish, drawn } = studio();
  await pictures.make(wish("Ada"));
  await pictures.make(wish("Grace"));
  expect(drawn).toEqual(["Ada", "Grace"]);
  expect(pictures.etagOf(wish("Ada"))).not.toBe(pictures.etagOf(wish("Grace")));
  expect(pictures.etagOf(wish("Ada"))).not.toBe(pictures.etagOf({ ...wish("Ada"), kind: "other" }));
});

test("an owner's pictures go when they save, nobody else's; all go when messages were missed", async () => {
  const { pictures, wish, drawn, tell } = studio();
  await pictures.make(wish("Ada", "ada"));
  await pictures.make(wish("Eve", "eve"));
  tell({ kind: "owner-changed", ownerId: "ada" });
  await pictures.make(wish("Ada", "ada"));
  await pictures.make(wish("Eve", "eve"));
  expect(drawn).toEqual(["Ada", "Eve", "Ada"]);
  tell({ kind: "messages-missed" });
  expect(pictures.size()).toBe(0);
});

test("a picture that is no longer its owner's when it is ready is not kept", async () => {
  const { pictures, wish, tell } = studio();
  const making = pictures.make(wish("Ada", "ada"));
  tell({ kind: "owner-changed", ownerId: "ada" });
  expect(await making).toHaveProperty("type", "text/plain");
  expect(pictures.size()).toBe(0);
});

test("memory is bounded: the picture that nobody asked for longest goes first", async () => {
  // Ten bytes, and two thousand for what the engine keeps around each.
  const { pictures, wish, drawn } = studio({ maxBytes: 4_050 });
  for (const name of ["a", "b", "a", "c"]) await pictures.make(wish(name.repeat(10)));
  expect(pictures.size()).toBe(4_020);
  await pictures.make(wish("a".repeat(10)));
  expect(drawn).toHaveLength(3);
  await pictures.make(wish("b".repeat(10)));
  expect(drawn).toHaveLength(4);
  await pictures.make(wish("x".repeat(3_000)));
  expect(pictures.size()).toBe(0);
});

test("one that can't be drawn fails for all who wait for it, leaves the queue free, and is tried again", async () => {
  const { pictures, wish } = studio();
  const broken = { ...wish("Ada"), draw: () => Promise.reject(new Error("no ink")) };
  const all = await Promise.allSettled([pictures.make(broken), pictures.make(broken), pictures.make(wish("Eve"))]);
  expect(all.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
  expect(await pictures.make(wish("Ada"))).toHaveProperty("type", "text/plain");
});

test("one who asks for hundreds waits behind themselves alone", async () => {
  const { pictures, wish } = studio();
  // Of IPv6 they have a whole network.
  const own = (index: number) => (index < 35 ? "203.0.113.7" : `2001:db8:0:7::${index}`);
  const flood = Array.from({ length: 70 }, (_, index) => pictures.make(wish(`flood ${index}`, "eve", own(index))));
  const other = pictures.make(wish("Ada", "ada", "198.51.100.2"));
  expect((await Promise.all(flood)).filter((made) => made === "busy")).toHaveLength(70 - 2 - 2 * 8);
  expect(await other).toHaveProperty("type", "text/plain");
});

test("what is forgotten takes no room: after everybody saved there is nothing left", async () => {
  const { pictures, wish, tell } = studio();
  for (const owner of ["ada", "eve", "ada"]) await pictures.make(wish(`of ${owner}`, owner));
  for (const ownerId of ["ada", "eve"]) tell({ kind: "owner-changed", ownerId });
  expect(pictures.size()).toBe(0);
});

function studio(options: { maxWaiting?: number; maxBytes?: number } = {}) {
  const listeners = new Set<(message: BusMessage) => void>();
  const bus = {
    subscribe: (listener: (message: BusMessage) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const pictures = createPictures({ bus, ...options });
  const drawn: string[] = [];
  let [running, mostRunning] = [0, 0];
  const wish = (name: string, ownerId = "ada", askedBy = name) => ({
    ownerId,
    askedBy,
    kind: "test",
    shows: { name },
    draw: async () => {
      mostRunning = Math.max(mostRunning, ++running);
      drawn.push(name);
      await pause(5);
      running--;
      return { body: new TextEncoder().encode(name), type: "text/plain" };
    },
  });
  const tell = (message: BusMessage) => listeners.forEach((listener) => listener(message));
  return { pictures, wish, drawn, tell, most: () => mostRunning };
}
