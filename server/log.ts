import pino from "pino";
import type { Logger } from "pino";

import { withoutEmails } from "#app/services/plain-text.ts";

/** A line for a page that came from the cache. */
export type LogHit = (hit: { id: string; path: string; status: number }) => void;

const BLOCK = 4_096;
const FLUSH_EVERY_MS = 250;
/** So many bytes wait for room to be written; what comes then is lost. */
const MOST_KEPT = 1_000_000;

type Destination = { write(text: string): unknown };

/**
 * Lines of JSON on standard output, gathered into blocks of 4 kB or a quarter of a second. A full block is written at once: handing it to
 * another thread costs a request twice as much.
 */
export function openLog(): { log: Logger; logHit: LogHit } {
  const destination = pino.destination({
    dest: 1,
    sync: true,
    minLength: BLOCK,
    periodicFlush: FLUSH_EVERY_MS,
    maxLength: MOST_KEPT,
  });
  // The log may be a file on a full disk. Without a listener each line would throw, and take the answer of a request along; what
  // could not be written goes out first once there is room.
  destination.on("error", () => undefined);
  const { logHit, flush } = createHitLog(destination);
  process.on("exit", () => {
    flush();
    // Not flushSync: on a full disk it tries for ever.
    destination.end();
  });
  return { log: pino({ base: null, serializers: { err: errorForLog } }, destination), logHit };
}

/** What of an error the log has: SMTP servers and databases put people's addresses into their errors. */
export function errorForLog(error: unknown): { message: string; [more: string]: unknown } {
  if (!(error instanceof Error)) return { message: withoutEmails(String(error)) };
  const code =
    "code" in error && (typeof error.code === "string" || typeof error.code === "number") ? error.code : undefined;
  const cause = error.cause === undefined ? undefined : errorForLog(error.cause).message;
  return {
    type: error.name,
    code,
    message: withoutEmails(error.message),
    cause,
    stack: withoutEmails(error.stack ?? ""),
  };
}

/**
 * The same line as `log.info({ id, method: "GET", path, status, cached: true })` writes, put together by hand: pino takes 4 µs for it, of
 * the 18 that such an answer took in all.
 */
export function createHitLog(destination: Destination): { logHit: LogHit; flush(): void } {
  let lines = "";
  let timer: NodeJS.Timeout | undefined;

  function flush() {
    clearTimeout(timer);
    timer = undefined;
    if (lines) destination.write(lines);
    lines = "";
  }

  return {
    logHit({ id, path, status }) {
      lines += `{"level":30,"time":${Date.now()},"id":"${id}","method":"GET","path":${JSON.stringify(path)},"status":${status},"cached":true}\n`;
      if (lines.length >= BLOCK) flush();
      else timer ??= setTimeout(flush, FLUSH_EVERY_MS).unref();
    },
    flush,
  };
}
