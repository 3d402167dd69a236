import { Console } from "node:console";
import { randomBytes } from "node:crypto";
import { Writable } from "node:stream";

import type { MiddlewareHandler } from "hono";
import pino from "pino";
import type { Logger } from "pino";

import { shortened, withoutEmails } from "#app/services/base/plain-text.ts";
import { createPathForLog } from "#app/services/features/path-for-log.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";

/** Logs a response from the page cache. */
export type LogCacheHit = (hit: { id: string; path: string; status: number; traceparent?: string | undefined }) => void;

/** The least important lines that are written. Each request is a line of `info`. */
type LogLevel = "debug" | "info" | "warn" | "error";

const blockBytes = 4_096;
const flushIntervalMs = 250;
/** Bytes that wait while the disk is full. Further lines are lost. */
const maxBufferedBytes = 1_000_000;

type Destination = { write(text: string): unknown };

/**
 * Lines of JSON on standard output, written in blocks of 4 kB or every 250 ms. Blocks are written synchronously: handing them to another
 * thread costs a request twice as much.
 */
export function openLog(level: LogLevel = "info"): { log: Logger; logHit: LogCacheHit } {
  const destination = pino.destination({
    dest: 1,
    sync: true,
    minLength: blockBytes,
    periodicFlush: flushIntervalMs,
    maxLength: maxBufferedBytes,
  });
  // The log may be a file on a full disk. Without a listener each line would throw and fail its request; buffered lines are written
  // once there is space.
  destination.on("error", () => undefined);
  const { logHit, flush } = createCacheHitLog(destination);
  const repeats = limitRepeats(destination);
  process.on("exit", () => {
    repeats.flush();
    flush();
    // Not flushSync: it retries without end on a full disk.
    destination.end();
  });
  const log = pino({ base: null, level, serializers: { err: errorForLog } }, repeats);
  return { log, logHit: log.isLevelEnabled("info") ? logHit : () => undefined };
}

/** Makes a line of the log, as a warning, of each text that a library prints with `console`, and of each warning of Node. */
export function logConsole(log: Logger, target: Console = console): void {
  const stream = new Writable({
    write(text, _encoding, done) {
      log.warn({ from: "console" }, withoutEmails(shortened(String(text).trimEnd(), maxPrintedLength)));
      done();
    },
  });
  Object.assign(target, new Console({ stdout: stream, stderr: stream }));
  process.removeAllListeners("warning");
  process.on("warning", (warning) => log.warn({ err: warning }, "a warning of Node"));
}

const maxPrintedLength = 2000;

/**
 * Passes on what pino writes, but a warning or an error that repeats only once a minute: then the last one, with the number of those that
 * were `leftOut` since. Lines are the same if only times and numbers differ. Those about a request are all written: its page names its id.
 */
export function limitRepeats(destination: Destination) {
  const repeats = new Map<string, { count: number; last: string }>();

  function watch(key: string) {
    repeats.set(key, { count: 0, last: "" });
    setTimeout(() => {
      if (writeLast(key)) watch(key);
      else repeats.delete(key);
    }, repeatMs).unref();
  }

  function writeLast(key: string): boolean {
    const { count = 0, last = "" } = repeats.get(key) ?? {};
    if (count > 0) destination.write(last.replace(/\}\n$/, `,"leftOut":${count - 1}}\n`));
    return count > 0;
  }

  return {
    write(line: string) {
      // Lines of requests, of level 30 and below, are the most by far.
      if (line < '{"level":4' || line.includes(',"id":"')) return void destination.write(line);
      const key = line.replaceAll(/\d+/g, "");
      const repeat = repeats.get(key);
      if (repeat) {
        repeat.count++;
        repeat.last = line;
        return;
      }
      if (repeats.size < maxRepeats) watch(key);
      destination.write(line);
    },
    flush: () => repeats.forEach((_, key) => writeLast(key)),
  };
}

const repeatMs = 60_000;
/** Different lines that are remembered. */
const maxRepeats = 1_000;

/** An error as it is logged: without email addresses, which SMTP servers and databases put into their errors. */
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

/** Writes the line of `log.info({ id, method: "GET", path, status, cached: true })` without pino, which takes 4 of the response's 18 µs. */
export function createCacheHitLog(destination: Destination): { logHit: LogCacheHit; flush(): void } {
  let lines = "";
  let timer: NodeJS.Timeout | undefined;

  function flush() {
    clearTimeout(timer);
    timer = undefined;
    if (lines) destination.write(lines);
    lines = "";
  }

  return {
    logHit({ id, path, status, traceparent }) {
      const { trace } = traceparent === undefined ? {} : traceOf(traceparent);
      const traced = trace === undefined ? "" : `,"trace":"${trace}"`;
      lines += `{"level":30,"time":${Date.now()},"id":"${id}"${traced},"method":"GET","path":${JSON.stringify(path)},"status":${status},"cached":true}\n`;
      if (lines.length >= blockBytes) flush();
      else timer ??= setTimeout(flush, flushIntervalMs).unref();
    },
    flush,
  };
}

const processPrefix = randomBytes(4).toString("hex");
let requestCount = 0;

/** A short id, unique across processes, that error pages show and log lines contain. */
export function newRequestId(): string {
  requestCount += 1;
  return `${processPrefix}-${requestCount.toString(36)}`;
}

/**
 * Logs one line per request, without network and email addresses, names, the query (it may hold a token) and the secrets in paths. An
 * aborted request is a 499.
 */
export function logRequests({ log, features, metrics }: Services): MiddlewareHandler<AppEnv> {
  const pathForLog = createPathForLog(features);
  return async (c, next) => {
    const started = performance.now();
    await next();
    const { id } = c.get("state");
    c.res.headers.set("x-request-id", id);
    const ms = performance.now() - started;
    const status = c.req.raw.signal.aborted ? clientClosedRequest : c.res.status;
    metrics.noteRequest({ path: c.req.path, status, ms });
    const line = {
      id,
      ...traceOf(c.req.header("traceparent")),
      method: c.req.method,
      path: pathForLog(c.req.path),
      status,
      ms: Math.round(ms),
    };
    if (ms > slowRequestMs) log.warn(line, "a request took long");
    else log.info(line);
  };
}

const slowRequestMs = 1_000;

/** The trace that a proxy or a client began: https://www.w3.org/TR/trace-context/#traceparent-header */
export function traceOf(traceparent: string | undefined): { trace?: string } {
  const [, trace] =
    /^[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/.exec(traceparent ?? "") ?? [];
  return trace === undefined ? {} : { trace };
}

/** Not in RFC 9110; nginx logs it when a client closes the connection before the response. */
export const clientClosedRequest = 499;
