import type { LiveData, LiveKind } from "#app/services/events/live/live-event.ts";

/** An event, or a heartbeat without a `kind`. `id` is the position to continue from. */
export type LiveFrame = { id?: string | undefined } & (
  | { kind: LiveKind; data: LiveData }
  | { kind?: undefined; data?: undefined }
);

/** Reads a stream of server-sent events as our server writes it: lines end in \n, and an event has one line of data. */
export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<LiveFrame> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) yield readFrame(block);
  }
}

function readFrame(block: string): LiveFrame {
  const fields = new Map(block.split("\n").map((line) => [line.split(": ", 1)[0], line.slice(line.indexOf(": ") + 2)]));
  const [id, kind, data] = ["id", "event", "data"].map((name) => fields.get(name));
  if (kind === undefined || data === undefined) return { id };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own server's answer
  return { id, kind: kind as LiveKind, data: JSON.parse(data) as LiveData };
}
