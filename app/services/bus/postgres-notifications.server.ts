import { randomUUID } from "node:crypto";

import { Client } from "pg";
import type { Logger } from "pino";

import { withTimeout } from "#app/services/base/time-limit.ts";
import { connectionOptions } from "#app/services/database/postgres.server.ts";

type NotificationsOptions = ListenAddress & {
  log: Logger;
  /** A text from another process. */
  onNotice: (text: string) => void;
  /** A hint from another process. */
  onHint: (text: string) => void;
  /** We started to listen (again): earlier texts were missed. */
  onMissed: () => void;
};

/**
 * Sends short texts between the processes on one PostgreSQL with LISTEN and NOTIFY, on a separate connection that reconnects. Returns
 * after the first attempt to connect, even when it failed.
 */
export async function openNotifications({ log, onNotice, onHint, onMissed, ...address }: NotificationsOptions) {
  /** Every payload starts with the id of its sender, so that a process ignores its own texts. */
  const own = randomUUID();
  let listener: NotificationListener | undefined;
  let sending = Promise.resolve(false);
  let retry: NodeJS.Timeout | undefined;
  let failures = 0;
  let isClosed = false;

  async function connect() {
    try {
      const opened = await openListener({ ...address, own, onPayload: receive, onLost: lose });
      if (isClosed) return await opened.close();
      listener = opened;
      if (failures > 0) log.info("PostgreSQL notifications are arriving again");
      failures = 0;
      onMissed();
    } catch (error) {
      lose(error);
    }
  }

  function lose(error: unknown) {
    listener = undefined;
    if (isClosed) return;
    const level = failures === 0 ? "warn" : "debug";
    log[level](
      { err: error },
      "notifications from other processes aren't arriving: pages are cached only for a short time",
    );
    retry = setTimeout(connect, Math.min(firstPauseMs * 2 ** failures, maxPauseMs));
    failures++;
  }

  function receive(payload: string, channel: string) {
    const text = payload.slice(own.length);
    // Without text it is a ping of another process.
    if (payload.startsWith(own) || text === "") return;
    if (channel === hintChannel) onHint(text);
    else onNotice(text);
  }

  /** Sends texts one after the other. Resolves to false when there is no connection. */
  function send(text: string, channel = noticeChannel): Promise<boolean> {
    sending = sending.then(async () => (await listener?.notify(own + text, channel)) ?? false);
    return sending;
  }

  async function close() {
    isClosed = true;
    clearTimeout(retry);
    await sending;
    await listener?.close();
    listener = undefined;
  }

  await connect();
  return {
    send: (text: string) => send(text),
    /** A text that may be lost. */
    sendHint: (text: string) => void send(text, hintChannel),
    close,
    isLive: () => listener !== undefined,
  };
}

const firstPauseMs = 200;
const maxPauseMs = 30_000;

type ListenAddress = {
  databaseUrl: string;
  /** Where to listen, if a connection pooler is at `databaseUrl`. */
  listenUrl?: string | undefined;
};

type ListenerOptions = ListenAddress & {
  /** The id that our own payloads start with. */
  own: string;
  onPayload: (payload: string, channel: string) => void;
  /** Called once when an open listener closes. */
  onLost: (error: unknown) => void;
};

export type NotificationListener = {
  /** Returns false when the connection is lost. */
  notify: (payload: string, channel: string) => Promise<boolean>;
  close: () => Promise<void>;
};

/**
 * Opens a PostgreSQL connection that listens. It is open only once a probe from another connection has arrived, and while our own pings
 * come back: a pooler, or a database that is only compatible with PostgreSQL, may accept LISTEN and never deliver anything. A pooler in
 * transaction mode delivers our own pings alone, and only some of them. Throws when it can't connect.
 */
export async function openListener({
  databaseUrl,
  listenUrl = databaseUrl,
  own,
  onPayload,
  onLost,
}: ListenerOptions): Promise<NotificationListener> {
  const client = openClient(listenUrl);
  let state: "opening" | "open" | "over" = "opening";
  let timer: NodeJS.Timeout | undefined;
  let onOwn = () => undefined as void;

  function lose(error: unknown) {
    if (state !== "open") return;
    void close();
    onLost(error);
  }

  async function close() {
    state = "over";
    clearInterval(timer);
    await client.end();
  }

  async function probe() {
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    onOwn = resolve;
    const sender = openClient(databaseUrl);
    try {
      await sender.connect();
      await sender.query(notifySql, [noticeChannel, own]);
    } finally {
      await sender.end();
    }
    await withTimeout(queryTimeoutMs, arrived).catch(refuse);
  }

  async function ping() {
    let cameBack = false;
    onOwn = () => void (cameBack = true);
    await client.query(notifySql, [noticeChannel, own]);
    // PostgreSQL delivers a notification to its own sender before the statement ends.
    if (!cameBack) refuse();
  }

  async function notify(payload: string, channel: string) {
    try {
      await client.query(notifySql, [channel, payload]);
      return true;
    } catch (error) {
      lose(error);
      return false;
    }
  }

  client.on("error", lose);
  client.on("end", () => lose(new Error("the connection ended")));
  client.on("notification", ({ payload = "", channel }) => {
    if (payload === own) onOwn();
    else onPayload(payload, channel);
  });
  try {
    await client.connect();
    for (const channel of [noticeChannel, hintChannel]) await client.query(`listen ${channel}`);
    await probe();
  } catch (error) {
    await close();
    throw error;
  }
  state = "open";
  timer = setInterval(() => void ping().catch(lose), pingMs);
  return { notify, close };
}

function openClient(url: string) {
  const client = new Client({ ...connectionOptions(url), query_timeout: queryTimeoutMs });
  // Its query fails. Without this listener the process would end as well.
  client.on("error", () => undefined);
  return client;
}

function refuse(): never {
  throw new Error(
    "PostgreSQL doesn't deliver notifications on this connection. If there is a connection pooler in between, set DATABASE_LISTEN_URL to PostgreSQL's own address.",
  );
}

const noticeChannel = "meishi";
const hintChannel = "meishi_hints";
const notifySql = "select pg_notify($1, $2)";
const pingMs = 5000;
const queryTimeoutMs = 5000;
