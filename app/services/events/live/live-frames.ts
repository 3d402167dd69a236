import type { LiveData, LiveKind } from "./live-event.ts";

const encoder = new TextEncoder();

/** An event as bytes (WHATWG HTML, 9.2.5). Without an id, the client's last one stays. JSON has no line breaks. */
export function eventFrame({
  id,
  kind,
  data,
}: {
  id?: string | undefined;
  kind: LiveKind;
  data: LiveData;
}): Uint8Array {
  return encoder.encode(`${idLine(id)}event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** The start of a stream. `retryMs` is how long a client waits before it connects again. */
export function openingFrame(retryMs: number): Uint8Array {
  return encoder.encode(`retry: ${retryMs}\n: connected\n\n`);
}

/** A comment that keeps the connection open. With a position, a client that reconnects is sent less. */
export function heartbeatFrame(position: string | undefined): Uint8Array {
  return encoder.encode(`: heartbeat\n${idLine(position)}\n`);
}

function idLine(id: string | undefined): string {
  return id === undefined ? "" : `id: ${id}\n`;
}
