import { randomUUID } from "node:crypto";

import { describe, expect, test, vi } from "vitest";

import { eventFrame, heartbeatFrame, openingFrame } from "#app/services/events/live/live-event.ts";
import type { LiveEvent } from "#app/services/events/live/live-event.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

import { openLiveConnection } from "./live-connection.ts";

/** What the server answers: no connection, a status, nothing at all, or a stream that starts with these frames. */
type Answer = "refused" | "silent" | number | Uint8Array[];
type Stream = ReadableStreamDefaultController<Uint8Array>;

/** A window of a browser whose server gives these answers, the last one from then on. */
function openWindow(answers: Answer[]) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  const openedAt = Date.now();
  const requests: { at: number; position: string | null }[] = [];
  const streams: Stream[] = [];
  const events: LiveEvent[] = [];
  vi.stubGlobal("fetch", async (_: string, { headers, signal }: { headers?: HeadersInit; signal: AbortSignal }) => {
    requests.push({ at: (Date.now() - openedAt) / 1_000, position: new Headers(headers).get("last-event-id") });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (typeof answer === "number") return new Response(null, { status: answer });
    if (answer === "refused" || answer === undefined) throw new TypeError("Failed to fetch");
    const isCut = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(new Error("aborted")));
    });
    if (answer === "silent") return isCut;
    const start = (stream: Stream) => {
      streams.push(stream);
      for (const frame of answer) stream.enqueue(frame);
      isCut.catch((error: unknown) => stream.error(error));
    };
    return new Response(new ReadableStream({ start }));
  });
  vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "visible" }));
  vi.stubGlobal("window", new EventTarget());
  // As without https: the window has its own connection.
  vi.stubGlobal("navigator", {});
  const close = openLiveConnection({ userId: randomUUID(), position: "-3000" }, (event) => events.push(event));
  cleanUpAfterTest(() => {
    close();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  return { requests, streams, events, times: () => requests.map(({ at }) => at) };
}

/** In steps, so that what a timer starts goes on at its time. */
async function pass(seconds: number) {
  for (let step = 0; step < seconds * 2; step++) {
    await vi.advanceTimersByTimeAsync(500);
    await new Promise(setImmediate);
  }
}

const opening = [openingFrame(1_000), heartbeatFrame("1800000000000")];

describe("a connection", () => {
  test.each(["refused", 503, 429] as const)(
    "is tried again after 1, 2, 5 and then every 10 seconds: %s",
    async (answer) => {
      const { times } = openWindow([answer]);
      await pass(45);
      expect(times()).toEqual([0, 1, 3, 8, 18, 28, 38]);
    },
  );

  test("starts with short pauses again once it has received something, and continues where it was", async () => {
    const { requests, streams } = openWindow(["refused", "refused", opening, "refused"]);
    await pass(4);
    streams[0]?.close();
    await pass(4);
    expect(requests).toEqual([
      { at: 0, position: "-3000" },
      { at: 1, position: "-3000" },
      { at: 3, position: "-3000" },
      { at: 5, position: "1800000000000" },
      { at: 7, position: "1800000000000" },
    ]);
  });

  test("that a proxy holds back is given up after ten seconds, and tried again as often", async () => {
    const { times } = openWindow(["silent"]);
    await pass(60);
    expect(times()).toEqual([0, 11, 23, 38, 58]);
  });

  test("without a heartbeat for 35 seconds is lost", async () => {
    const { times, streams } = openWindow([opening]);
    await pass(30);
    streams[0]?.enqueue(heartbeatFrame("1800000025000"));
    await pass(34);
    expect(times()).toEqual([0]);
    await pass(3);
    expect(times()).toHaveLength(2);
  });

  test("gives an event once that is repeated with another time", async () => {
    const event = (time: number) => eventFrame({ id: `${time}-save`, kind: "card.saved", data: { cardId: "1" } });
    const { events, streams } = openWindow([
      [...opening, event(1)],
      [...opening, event(2)],
    ]);
    await pass(1);
    streams[0]?.close();
    await pass(2);
    expect(streams).toHaveLength(2);
    expect(events).toEqual([{ kind: "card.saved", data: { cardId: "1" } }]);
  });

  test.each([401, 403, [...opening, eventFrame({ kind: "signed-out", data: {} })]])(
    "isn't tried again once the session has ended: %s",
    async (answer) => {
      const { times } = openWindow([answer]);
      await pass(30);
      expect(times()).toEqual([0]);
    },
  );
});
