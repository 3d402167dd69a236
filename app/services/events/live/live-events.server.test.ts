import { setImmediate as nextTurn } from "node:timers/promises";

import pino from "pino";
import { describe, expect, test } from "vitest";

import type { BusMessage } from "#app/services/bus/bus.server.ts";
import type { EventSubscriber } from "#app/services/events/events.server.ts";

import { readStream } from "#tests/support/browser/event-stream.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

import { createLiveEvents } from "./live-events.server.ts";

const start = 1_800_000_000_000;
const alwaysRunning: (sessionId: string) => Promise<boolean> = async () => true;
const reader = { network: "203.0.113.1", tokenHash: "token", lastEventId: undefined, destroy: undefined };

/** One process; `receive` is what the bus or a write of its own reports. */
function open({ heartbeatMs = 25_000, isShared = false, isRunning = alwaysRunning } = {}) {
  const state = { now: start, isLive: true };
  const hints: string[] = [];
  const subscribers: Extract<EventSubscriber, { missed: unknown }>[] = [];
  let receiveHint: (text: string) => void = () => undefined;
  const live = createLiveEvents({
    events: { subscribe: (subscriber) => void ("missed" in subscriber && subscribers.push(subscriber)) },
    bus: {
      isShared,
      isLive: () => state.isLive,
      sendHint: (text) => void hints.push(text),
      subscribeToHints: (listener) => (receiveHint = listener),
    },
    clock: () => state.now,
    log: pino({ level: "silent" }),
    heartbeatMs,
    findRunningSessions: async (ids) => {
      const running = await Promise.all(ids.map(isRunning));
      return new Map(ids.filter((_, at) => running[at]).map((id) => [id, "token"]));
    },
  });
  cleanUpAfterTest(live.close);
  const receive = (message: BusMessage) => {
    for (const subscriber of subscribers)
      if (message.kind === "messages-missed") subscriber.missed();
      else subscriber.everywhere(message);
  };
  const request = (ownerId: string, more: Partial<Parameters<typeof live.connect>[0]> = {}) =>
    live.connect({ ownerId, ...reader, sessionId: `of-${ownerId}`, ...more });
  /** The body of a connection, not read. */
  const connect = (...of: Parameters<typeof request>) => {
    const body = request(...of);
    if (typeof body === "string") throw new Error(`refused: ${body}`);
    return body;
  };
  const follow = async (ownerId = "ada", more: Parameters<typeof request>[1] = {}) => {
    const stream = readStream({ body: connect(ownerId, more) });
    await stream.isOpen();
    return stream;
  };
  return { live, state, hints, receive, receiveHint: (text: string) => receiveHint(text), request, connect, follow };
}

function saved(cardId: string, ownerId = "ada"): BusMessage {
  return { id: `event-${cardId}`, kind: "card.saved", ownerId, cardId };
}

const cardsOf = ({ events }: { events: { data: Record<string, string> }[] }) =>
  events.map(({ data }) => data["cardId"]);

describe("a heartbeat", () => {
  test("is a comment, and moves the position of a client that gets no events", async () => {
    const { follow, state } = open({ heartbeatMs: 50 });
    const stream = await follow();
    expect(stream.lastEventId()).toBe(String(start));
    state.now += 60_000;
    await expect.poll(stream.lastEventId, { interval: 5 }).toBe(String(start + 60_000));
    expect([stream.comments.includes("heartbeat"), stream.events]).toEqual([true, []]);
  });

  test("is when the connections of ended sessions end, and no others", async () => {
    const ended = new Set<string>();
    const { follow } = open({ heartbeatMs: 50, isRunning: async (id) => !ended.has(id) });
    const [here, there] = [await follow("ada", { sessionId: "here" }), await follow("ada", { sessionId: "there" })];
    ended.add("there");
    expect(await there.ended).toBe(true);
    const count = here.comments.length;
    await expect.poll(() => here.comments.length, { interval: 5 }).toBeGreaterThan(count + 2);
  });

  test("ends the other connections of ended sessions when one was closed during the check", async () => {
    const check = Promise.withResolvers<boolean>();
    const { live, connect, follow } = open({ heartbeatMs: 1_000_000, isRunning: () => check.promise });
    const closed = connect("ada");
    const other = await follow();
    live.recheck("ada");
    await closed.cancel();
    check.resolve(false);
    await expect.poll(other.kinds).toEqual(["signed-out"]);
  });

  test("goes on while the sessions can't be checked", async () => {
    const fail = () => Promise.reject(new Error("the database is down"));
    const { follow } = open({ heartbeatMs: 50, isRunning: fail });
    const stream = await follow();
    await expect.poll(() => stream.comments.length, { interval: 5 }).toBeGreaterThan(4);
  });
});

test("a reader that is too slow is cut off when 100 events wait, and gets the rest when it connects again", async () => {
  const { connect, follow, receive } = open();
  const slow = connect("ada");
  const other = await follow();
  for (let n = 1; n <= 99; n++) receive(saved(String(n)));
  const reading = readStream({ body: slow });
  await expect.poll(() => reading.events.length).toBe(99);
  await reading.cancel();

  const stalled = connect("ada");
  for (let n = 100; n <= 300; n++) {
    receive(saved(String(n)));
    await nextTurn();
  }
  await expect(stalled.getReader().read()).rejects.toThrow("The reader is too slow.");
  await expect.poll(() => other.events.length).toBe(300);
  const again = await follow("ada", { lastEventId: other.events.at(-50)?.lastEventId ?? "" });
  expect(cardsOf(again)).toEqual(cardsOf(other).slice(-49));
});

test("a follower gets the changes of its account until it stops, and is ended when its session is over or changes may be missing", () => {
  const { live, receive } = open();
  const seen: string[] = [];
  const follow = (ownerId: string) => {
    const stop = live.follow({
      ...reader,
      ownerId,
      sessionId: ownerId,
      change: ({ kind }) => void seen.push(`${ownerId}: ${kind}`),
      end: (reason) => void seen.push(`${ownerId}: ${reason}`),
    });
    return typeof stop === "string" ? () => undefined : stop;
  };
  const [stopAda] = [follow("ada"), follow("bob"), follow("carla")];
  receive({ id: "1", kind: "file.saved", ownerId: "ada", slot: "avatar" });
  stopAda();
  receive(saved("1"));
  receive({ id: "2", kind: "account.blocked", ownerId: "bob" });
  receive(saved("2", "bob"));
  receive({ kind: "messages-missed" });
  live.close();
  expect(seen).toEqual(["ada: file.saved", "bob: account.blocked", "bob: signed-out", "carla: interrupted"]);
  expect(live.follow({ ownerId: "ada", ...reader, sessionId: "", change: () => undefined, end: () => undefined })).toBe(
    "closed",
  );
});

describe("a client that connects again", () => {
  test("receives `reload` when more than 100 events or ten minutes have passed", async () => {
    const { follow, receive, state } = open();
    const { lastEventId } = await follow();
    const position = lastEventId();
    for (let n = 0; n < 100; n++) receive(saved(String(n)));
    expect((await follow("ada", { lastEventId: position })).events).toHaveLength(100);
    receive(saved("one more"));
    expect((await follow("ada", { lastEventId: position })).kinds()).toEqual(["reload"]);

    receive(saved("of bob", "bob"));
    state.now += 11 * 60_000;
    receive(saved("of carla", "carla"));
    expect((await follow("bob", { lastEventId: String(start) })).kinds()).toEqual(["reload"]);
    expect((await follow("dora", { lastEventId: String(state.now) })).kinds()).toEqual([]);
  });

  test("gets what happened since its page was requested", async () => {
    const { follow, receive, state } = open();
    receive(saved("before"));
    state.now += 60_000;
    receive(saved("since"));
    state.now += 4_000;
    expect(cardsOf(await follow("ada", { lastEventId: "-5000" }))).toEqual(["since"]);
    expect((await follow("ada", { lastEventId: "-999999" })).kinds()).toEqual(["reload"]);
  });

  test("receives `reload` when this process may have missed events", async () => {
    const { follow, receive, state } = open();
    const stream = await follow();
    receive(saved("1"));
    const first = await stream.waitFor("card.saved");
    state.now += 1_000;
    receive({ kind: "messages-missed" });
    await stream.waitFor("reload");
    expect((await follow("ada", { lastEventId: first?.lastEventId ?? "" })).kinds()).toEqual(["reload"]);
    expect((await follow("ada", { lastEventId: stream.lastEventId() })).kinds()).toEqual([]);
  });

  test("gets the events of the 30 seconds before as well where there are several processes, whose order may differ", async () => {
    const { follow, receive, state } = open({ isShared: true });
    state.now += 60_000;
    receive(saved("1"));
    state.now += 25_000;
    receive(saved("2"));
    const here = await follow("ada", { lastEventId: `${state.now - 50_000}-event-x` });
    const [first, second] = here.events;
    const from = (lastEventId = "") => follow("ada", { lastEventId });
    expect(cardsOf(await from(second?.lastEventId))).toEqual(["1"]);
    // The same event has another time elsewhere, but the same name.
    expect(cardsOf(await from(`${state.now + 20}-event-2`))).toEqual(["1"]);
    expect(cardsOf(await from(first?.lastEventId))).toEqual(["2"]);
    state.now += 10_000;
    expect(cardsOf(await from(String(state.now)))).toEqual(["2"]);
  });

  test("skips no event of the time while those of other processes don't arrive", async () => {
    const { follow, receive, state } = open({ isShared: true });
    const stream = await follow();
    const before = stream.lastEventId();
    state.isLive = false;
    state.now += 5_000;
    receive(saved("1"));
    await stream.waitFor("card.saved");
    expect(stream.lastEventId()).toBe(before);
    expect((await follow("ada", { lastEventId: before })).kinds()).toEqual(["reload"]);
  });
});

describe("between processes", () => {
  test("events that aren't stored, visits and ended sessions are sent as hints", async () => {
    const ended = new Set<string>();
    const here = open({ isShared: true });
    const there = open({ isShared: true, isRunning: async (id) => !ended.has(id) });
    const stream = await there.follow();
    const deliver = () => here.hints.splice(0).forEach(there.receiveHint);
    here.live.publish("ada", { kind: "pass.updated", data: { cardId: "c" } });
    here.live.publish("bob", { kind: "pass.updated", data: { cardId: "d" } });
    deliver();
    await stream.waitFor("pass.updated");
    for (let n = 0; n < 400; n++) here.live.noteVisit(n === 399 ? "ada" : `owner-${n}`);
    await expect
      .poll(() => {
        deliver();
        return stream.kinds();
      })
      .toEqual(["pass.updated", "visit"]);
    ended.add("of-ada");
    here.live.recheck("ada");
    deliver();
    expect(await stream.ended).toBe(true);
    for (const text of ["", "no JSON", '{"type":"of a newer release"}', '{"type":"event","ownerId":"ada","kind":"x"}'])
      there.receiveHint(text);
  });

  test("visitors of all processes are counted for five minutes, each once, and few of them are announced", async () => {
    const here = open({ isShared: true });
    const there = open({ isShared: true });
    for (const visitor of [1, 2, 1]) here.live.noteVisit("ada", visitor);
    here.live.noteVisit("ada");
    there.live.noteVisit("ada", 3);
    await expect.poll(() => here.hints.length).toBe(1);
    here.hints.forEach(there.receiveHint);
    there.receiveHint('{"type":"visits","ownerIds":["ada"]}');
    expect([here.live.countPresent("ada"), there.live.countPresent("ada")]).toEqual([2, 3]);
    expect(there.live.countPresent("bob")).toBe(0);
    for (const process of [here, there]) process.state.now += 299_000;
    here.live.noteVisit("ada", 2);
    for (const process of [here, there]) process.state.now += 1_000;
    expect([here.live.countPresent("ada"), there.live.countPresent("ada")]).toEqual([1, 0]);
    for (let visitor = 0; visitor < 5_000; visitor++) here.live.noteVisit("ada", visitor);
    expect(here.live.countPresent("ada")).toBe(200);
  });

  test("a visitor's number, from which an address could be found, is announced as another one", async () => {
    const { live, hints } = open({ isShared: true });
    live.noteVisit("ada", 1_234_567_890);
    await expect.poll(() => hints.length).toBe(1);
    live.noteVisit("ada", 1_234_567_890);
    await expect.poll(() => hints[1]).toBe(hints[0]?.replace("1234567890", "the number itself"));
  });

  test("a hint fits into a notification of PostgreSQL, which has at most 8,000 bytes", async () => {
    const { live, hints } = open({ isShared: true });
    for (let n = 0; n < 1_000; n++) {
      const ownerId = crypto.randomUUID();
      for (let visitor = 0; visitor < 10; visitor++) live.noteVisit(ownerId, 2 ** 32 - 1 - visitor);
    }
    await expect.poll(() => hints.length).toBeGreaterThan(1);
    for (const hint of hints) expect(Buffer.byteLength(hint) + 36).toBeLessThan(8_000);
  });
});

test("too many connections are refused per account, network and process, and counted down when they close", async () => {
  const { request, connect } = open();
  const [first] = Array.from({ length: 1_000 }, (_, n) => connect(`owner-${n}`));
  expect(request("one more")).toBe("network");
  await first?.cancel();
  expect(request("one more")).toBeTypeOf("object");
  for (let n = 0; n < 11_000; n++) request(`owner-${n + 2_000}`, { network: `10.0.${n % 200}.1` });
  expect(request("one more", { network: "198.51.100.1" })).toBe("process");
});
