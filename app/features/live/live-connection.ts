import type { LiveEvent, LiveData, LiveKind } from "#app/services/events/live/live-event.ts";

/**
 * Receives a user's events, for all windows of this browser over one connection: of the windows that can be seen, the one that holds the
 * lock has it, and passes the events on. Where there are no Web Locks (http), each window that can be seen has its own. Returns how to stop.
 */
export function openLiveConnection(start: LiveStart, emit: (event: LiveEvent) => void): () => void {
  const name = `meishi-live-${start.userId}`;
  const channel = new BroadcastChannel(name);
  const seen: string[] = [];
  let { position } = start;
  let leading: AbortController | undefined;

  function receive({ id, kind, data }: LiveFrame) {
    if (id !== undefined) position = id;
    if (kind === undefined) return;
    if (kind === "signed-out") return stop();
    // Another process may give the same event another time.
    const event = id?.split("-").slice(1).join("-") ?? "";
    if (event !== "" && seen.includes(event)) return;
    seen.push(event);
    if (seen.length > maxSeen) seen.shift();
    emit({ kind, data });
  }

  channel.addEventListener("message", ({ data }: MessageEvent<LiveFrame>) => receive(data));
  const deliver = (frame: LiveFrame) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
    channel.postMessage(frame);
    receive(frame);
  };

  function lead() {
    if (leading || document.visibilityState !== "visible") return;
    const controller = new AbortController();
    leading = controller;
    const { signal } = controller;
    const read = () => keepReading(() => position, deliver, signal);
    // `locks` is missing without https.
    const done: Promise<unknown> = "locks" in navigator ? navigator.locks.request(name, { signal }, read) : read();
    void done.catch(() => undefined).then(() => leading === controller && (leading = undefined));
  }

  function stop() {
    leading?.abort();
    leading = undefined;
  }

  const change = () => (document.visibilityState === "visible" ? lead() : stop());
  document.addEventListener("visibilitychange", change);
  // A page with an open connection isn't kept for "back".
  window.addEventListener("pagehide", stop);
  window.addEventListener("pageshow", change);
  lead();
  return () => {
    stop();
    channel.close();
    document.removeEventListener("visibilitychange", change);
    window.removeEventListener("pagehide", stop);
    window.removeEventListener("pageshow", change);
  };
}

/** `position` is that of the last event, or how long ago the page was requested ("-5000"). */
type LiveStart = { userId: string; position: string };

/** Connects again and again, until `signal` or until the session has ended. */
async function keepReading(position: () => string, deliver: (frame: LiveFrame) => void, signal: AbortSignal) {
  let failures = 0;
  const receive = (frame: LiveFrame) => {
    failures = 0;
    deliver(frame);
  };
  while (!signal.aborted) {
    const outcome = await readOnce(position(), receive, signal).catch(() => "lost" as const);
    if (outcome === "signed-out") return;
    const [last = 0] = backOffMs.slice(-1);
    await pause(backOffMs[failures++] ?? last, signal);
  }
}

/** Reads until the connection ends. Rejects when it is lost, or silent for longer than a heartbeat takes. */
async function readOnce(position: string, receive: (frame: LiveFrame) => void, signal: AbortSignal) {
  const attempt = new AbortController();
  const abort = () => attempt.abort();
  signal.addEventListener("abort", abort);
  let timer = setTimeout(abort, timeoutMs);
  try {
    const headers = position === "" ? undefined : { "last-event-id": position };
    const response = await fetch("/events", { cache: "no-store", signal: attempt.signal, ...(headers && { headers }) });
    if (response.status === 401 || response.status === 403) return "signed-out";
    if (!response.ok || !response.body) return "lost";
    for await (const frame of readFrames(response.body)) {
      clearTimeout(timer);
      timer = setTimeout(abort, heartbeatMs + timeoutMs);
      receive(frame);
    }
    return "lost";
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** The specification's times (document 1, section 9). */
const backOffMs = [1_000, 2_000, 5_000, 10_000];
const heartbeatMs = 25_000;
const timeoutMs = 10_000;
/** More than the server repeats. */
const maxSeen = 200;

/** An event, or a heartbeat without a `kind`. `id` is the position to continue from. */
type LiveFrame = { id?: string | undefined } & (
  | { kind: LiveKind; data: LiveData }
  | { kind?: undefined; data?: undefined }
);

/** Reads a stream of server-sent events as our server writes it: lines end in \n, and an event has one line of data. */
async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<LiveFrame> {
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
