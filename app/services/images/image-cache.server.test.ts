import { setImmediate as pause } from "node:timers/promises";

import { expect, test } from "vitest";

import type { EventSubscriber } from "#app/services/events/events.server.ts";

import { createImageCache } from "./image-cache.server.ts";

test("draws an image once for fifty requests at the same time, and other content with another ETag", async () => {
  const { cache, requestFor, drawn } = openCache();
  const all = await Promise.all(Array.from({ length: 50 }, () => cache.get(requestFor("Ada"))));
  expect(new Set(all).size).toBe(1);
  expect(await cache.get(requestFor("Ada"))).toBe(all[0]);
  expect(drawn).toEqual(["Ada"]);
  await cache.get(requestFor("Grace"));
  expect(drawn).toEqual(["Ada", "Grace"]);
  const tags = [requestFor("Ada"), requestFor("Grace"), { ...requestFor("Ada"), kind: "other" }].map(cache.etagOf);
  expect(new Set(tags).size).toBe(3);
});

test("draws two images at a time, lets a few wait and answers busy to the rest", async () => {
  const { cache, requestFor, drawn, maxRunning } = openCache({ maxWaiting: 3 });
  const all = await Promise.all(Array.from({ length: 8 }, (_, index) => cache.get(requestFor(`image ${index}`))));
  expect(all.filter((result) => result === "busy")).toHaveLength(3);
  expect([drawn.length, maxRunning()]).toEqual([5, 2]);
  expect(await cache.get(requestFor("image 7"))).toHaveProperty("type", "text/plain");
});

test("drops the images of an owner who saves, and all images when events were missed", async () => {
  const { cache, requestFor, drawn, save, missEvents } = openCache();
  await cache.get(requestFor("Ada", "ada"));
  await cache.get(requestFor("Eve", "eve"));
  save("ada");
  await cache.get(requestFor("Ada", "ada"));
  await cache.get(requestFor("Eve", "eve"));
  expect(drawn).toEqual(["Ada", "Eve", "Ada"]);
  missEvents();
  expect(cache.size()).toBe(0);
  for (const owner of ["ada", "eve", "ada"]) await cache.get(requestFor(`of ${owner}`, owner));
  for (const owner of ["ada", "eve"]) save(owner);
  expect(cache.size()).toBe(0);
});

test("doesn't store an image whose owner saved while it was drawn", async () => {
  const { cache, requestFor, save } = openCache();
  const drawing = cache.get(requestFor("Ada", "ada"));
  save("ada");
  expect(await drawing).toHaveProperty("type", "text/plain");
  expect(cache.size()).toBe(0);
});

test("drops the least recently used image when memory is full, and never stores one larger than the cache", async () => {
  // Ten bytes, and two thousand for the entry itself.
  const { cache, requestFor, drawn } = openCache({ maxBytes: 4_050 });
  for (const letter of ["a", "b", "a", "c"]) await cache.get(requestFor(letter.repeat(10)));
  expect(cache.size()).toBe(4_020);
  await cache.get(requestFor("a".repeat(10)));
  expect(drawn).toHaveLength(3);
  await cache.get(requestFor("b".repeat(10)));
  expect(drawn).toHaveLength(4);
  await cache.get(requestFor("x".repeat(3_000)));
  expect(cache.size()).toBe(4_020);
  await cache.get(requestFor("x".repeat(3_000)));
  expect(drawn).toHaveLength(6);
});

test("passes a drawing error to all who wait, and draws the image again at the next request", async () => {
  const { cache, requestFor } = openCache();
  const broken = { ...requestFor("Ada"), draw: () => Promise.reject(new Error("no ink")) };
  const all = await Promise.allSettled([cache.get(broken), cache.get(broken), cache.get(requestFor("Eve"))]);
  expect(all.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
  expect(await cache.get(requestFor("Ada"))).toHaveProperty("type", "text/plain");
});

test("limits how many images wait for one network, to 300 in the long queue", async () => {
  const { cache, requestFor, maxRunning } = openCache();
  // An IPv6 client has a whole /64 network.
  const address = (index: number) => (index < 35 ? "203.0.113.7" : `2001:db8:0:7::${index}`);
  const requests = Array.from({ length: 70 }, (_, index) => requestFor(`flood ${index}`, "eve", address(index)));
  const flood = requests.map((request) => cache.get(request));
  const other = cache.get(requestFor("Ada", "ada", "198.51.100.2"));
  expect((await Promise.all(flood)).filter((result) => result === "busy")).toHaveLength(70 - 2 - 2 * 8);
  expect(await other).toHaveProperty("type", "text/plain");
  const passes = Array.from({ length: 310 }, (_, index) => requestFor(`pass ${index}`, "ada", "203.0.113.7"));
  const all = await Promise.all(passes.map((pass) => cache.get({ ...pass, queue: "long" })));
  expect(all.filter((result) => result === "busy")).toHaveLength(310 - 2 - 300);
  expect(maxRunning()).toBe(2);
});

test("draws a part of images once, also while images wait for it and after a save", async () => {
  const { cache, requestFor, save } = openCache();
  const drawn: string[] = [];
  const part = (content: string) =>
    cache.getPart({
      kind: "part",
      content,
      draw: async () => {
        drawn.push(content);
        await pause();
        return new TextEncoder().encode(content);
      },
    });
  const whole = (name: string) => ({
    ...requestFor(name),
    draw: async () => ({ body: await part("shared"), type: "text/plain" }),
  });
  await Promise.all(["Ada", "Eve", "Joe"].map((name) => cache.get(whole(name))));
  save("ada");
  await cache.get(whole("Ada"));
  await part("other");
  expect(drawn).toEqual(["shared", "other"]);
});

function openCache(options: { maxWaiting?: number; maxBytes?: number } = {}) {
  const subscribers: EventSubscriber[] = [];
  const events = { subscribe: (subscriber: EventSubscriber) => void subscribers.push(subscriber) };
  const cache = createImageCache({ events, ...options });
  const drawn: string[] = [];
  let [running, maxRunning] = [0, 0];
  const requestFor = (name: string, ownerId = "ada", requestedBy = name) => ({
    ownerId,
    requestedBy,
    kind: "test",
    content: { name },
    draw: async () => {
      maxRunning = Math.max(maxRunning, ++running);
      drawn.push(name);
      await pause();
      running--;
      return { body: new TextEncoder().encode(name), type: "text/plain" };
    },
  });
  const [subscriber] = subscribers;
  if (!subscriber || !("everywhere" in subscriber)) throw new Error("The image cache doesn't subscribe to events");
  const save = (ownerId: string) => subscriber.everywhere({ id: "1", kind: "profile.saved", ownerId });
  return { cache, requestFor, drawn, save, missEvents: subscriber.missed, maxRunning: () => maxRunning };
}
