import type { Logger } from "pino";

import { preferTls } from "#app/services/database/database.server.ts";
import type { Engine } from "#app/services/database/database.server.ts";
import { domainEvent } from "#app/services/events/event.ts";
import type { DomainEvent } from "#app/services/events/event.ts";

import { openNotifications } from "./postgres-notifications.server.ts";

export type BusMessage =
  | DomainEvent
  /** Messages of other processes may have been missed. */
  | { kind: "messages-missed" };

/** Only `services.events` uses it to publish and to subscribe, and only `services.live` for hints. */
export type Bus = {
  /** Sends the message to the other processes. Resolves to false when that wasn't possible. */
  publish: (message: BusMessage) => Promise<boolean>;
  /** Calls `listener` with messages of other processes. */
  subscribe: (listener: BusListener) => void;
  /** Sends a text of at most 7,900 bytes to the other processes. It may be lost, so nothing stored may depend on it. */
  sendHint: (text: string) => void;
  /** Calls `listener` with the hints of other processes. */
  subscribeToHints: (listener: (text: string) => void) => void;
  /** Whether there can be other processes. */
  isShared: boolean;
  /** Whether messages of other processes arrive. While they don't, cached data may be stale. */
  isLive: () => boolean;
  close: () => Promise<void>;
};

type BusListener = (message: BusMessage) => void;

type BusDeps = {
  engine: Engine;
  databaseUrl?: string | undefined;
  /** Where to listen, if a connection pooler is at `databaseUrl`. */
  listenUrl?: string | undefined;
  log: Logger;
};

/** Connects all processes on one database. On SQLite there is only this process. */
export async function createBus({ engine, databaseUrl, listenUrl, log }: BusDeps): Promise<Bus> {
  if (engine === "sqlite" || !databaseUrl) {
    return {
      publish: async () => true,
      subscribe: () => undefined,
      sendHint: () => undefined,
      subscribeToHints: () => undefined,
      isShared: false,
      isLive: () => true,
      close: async () => undefined,
    };
  }
  const listeners: BusListener[] = [];
  const hintListeners: ((text: string) => void)[] = [];
  function notifyListeners(message: BusMessage) {
    for (const listener of listeners) listener(message);
  }
  const notices = await openNotifications({
    databaseUrl,
    listenUrl: listenUrl && preferTls(listenUrl),
    log,
    onNotice: (text) => notifyListeners(readMessage(text, log)),
    onHint: (text) => hintListeners.forEach((listener) => listener(text)),
    onMissed: () => notifyListeners({ kind: "messages-missed" }),
  });
  return {
    publish: (message) => notices.send(JSON.stringify(message)),
    subscribe: (listener) => void listeners.push(listener),
    sendHint: notices.sendHint,
    subscribeToHints: (listener) => void hintListeners.push(listener),
    isShared: true,
    isLive: notices.isLive,
    close: notices.close,
  };
}

/** An unknown message (from another version) may be about anything, so it counts as missed messages. */
function readMessage(text: string, log: Logger): BusMessage {
  try {
    return domainEvent.parse(JSON.parse(text));
  } catch (error) {
    log.debug({ err: error }, "a message from another process can't be read");
    return { kind: "messages-missed" };
  }
}
