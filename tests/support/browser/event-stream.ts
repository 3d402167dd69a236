import { expect } from "vitest";

import type { Visitor } from "#tests/support/app/visitor.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

/** An event as a browser's EventSource would report it. */
export type StreamEvent = { kind: string; data: Record<string, string>; lastEventId: string };

/** Reads a stream of server-sent events (WHATWG HTML, 9.2.6) until it ends or is canceled. */
export function readStream(response: { body: ReadableStream<Uint8Array> | null }) {
  const events: StreamEvent[] = [];
  const comments: string[] = [];
  let lastEventId = "";
  let retryMs = 0;
  const reader = response.body?.getReader();
  if (!reader) throw new Error("The response has no body.");

  async function readAll(source: ReadableStreamDefaultReader<Uint8Array>) {
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      const { done, value } = await source.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) readBlock(block);
    }
  }

  function readBlock(block: string) {
    const fields = new Map<string, string>();
    for (const line of block.split("\n")) {
      const [, name = "", value = ""] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
      if (name === "") comments.push(value);
      else fields.set(name, value);
    }
    retryMs = Number(fields.get("retry") ?? retryMs);
    lastEventId = fields.get("id") ?? lastEventId;
    const data = fields.get("data");
    if (data !== undefined) events.push({ kind: fields.get("event") ?? "", data: JSON.parse(data), lastEventId });
  }

  /** Whether the server ended it in order. */
  const ended = readAll(reader).then(
    () => true,
    () => false,
  );

  return {
    events,
    comments,
    ended,
    lastEventId: () => lastEventId,
    retryMs: () => retryMs,
    kinds: () => events.map(({ kind }) => kind),
    cancel: () => reader.cancel(),
    /** Waits until the server has sent what a new connection gets first. */
    isOpen: () => expect.poll(() => retryMs, { interval: 5 }).toBeGreaterThan(0),
    /** Waits for the first event of a kind. */
    waitFor: async (kind: string) => {
      await expect.poll(() => events.map((event) => event.kind), { interval: 5 }).toContain(kind);
      return events.find((event) => event.kind === kind);
    },
  };
}

/** The events of a signed-in user, from now on. */
export async function followEvents(user: Pick<Visitor, "get">, headers: Record<string, string> = {}) {
  const stream = readStream(await user.get("/events", headers));
  cleanUpAfterTest(() => stream.cancel().catch(() => undefined));
  await stream.isOpen();
  return stream;
}
