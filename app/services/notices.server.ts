import { randomUUID } from "node:crypto";

import type { Logger } from "pino";

import { openListener } from "./listener.server.ts";
import type { Listener } from "./listener.server.ts";

type Options = {
  databaseUrl: string;
  log: Logger;
  /** What another process sent. */
  onNotice: (text: string) => void;
  /** We listen (again): what was sent before did not reach us. */
  onMissed: () => void;
};

/**
 * Short texts between the processes on one PostgreSQL, through a connection of its own that is made anew when it breaks. What is
 * sent while there is none goes out afterwards. Returns after the first try to connect, also when that failed.
 */
export async function openNotices({ databaseUrl, log, onNotice, onMissed }: Options) {
  /** Every payload begins with its sender, so that nobody hears himself. */
  const own = randomUUID();
  const unsent = new Set<string>();
  let listener: Listener | undefined;
  let sending = Promise.resolve();
  let retry: NodeJS.Timeout | undefined;
  let failures = 0;
  let isClosed = false;

  async function connect() {
    try {
      const opened = await openListener({ databaseUrl, own, onPayload: receive, onLost: lose });
      if (isClosed) return await opened.close();
      listener = opened;
      if (failures > 0) log.info("PostgreSQL's notices arrive again");
      failures = 0;
      onMissed();
      flush();
    } catch (error) {
      lose(error);
    }
  }

  function lose(error: unknown) {
    listener = undefined;
    if (isClosed) return;
    const level = failures === 0 ? "warn" : "debug";
    log[level]({ err: error }, "other nodes' notices do not reach us: pages are kept for a short time only");
    retry = setTimeout(connect, Math.min(FIRST_PAUSE * 2 ** failures, LONGEST_PAUSE));
    failures++;
  }

  function receive(payload: string) {
    const text = payload.slice(own.length);
    // No text: another process's ping.
    if (payload.startsWith(own) || text === "") return;
    if (text === EVERYTHING) onMissed();
    else onNotice(text);
  }

  function send(text: string) {
    if (unsent.size >= MAX_UNSENT) {
      unsent.clear();
      unsent.add(own + EVERYTHING);
    } else {
      unsent.add(own + text);
    }
    flush();
  }

  function flush() {
    sending = sending.then(async () => {
      for (const payload of unsent) {
        if (!listener || !(await listener.notify(payload))) return;
        unsent.delete(payload);
      }
    });
  }

  async function close() {
    isClosed = true;
    clearTimeout(retry);
    await sending;
    await listener?.close();
    listener = undefined;
  }

  await connect();
  return { send, close, isLive: () => listener !== undefined };
}

/** Stands for more texts than could be kept. */
const EVERYTHING = "*";
const MAX_UNSENT = 10_000;

const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 30_000;
