import type { Logger } from "pino";

import type { Engine } from "#app/services/database/database.server.ts";
import { domainEvent } from "#app/services/events/event.ts";
import type { DomainEvent } from "#app/services/events/event.ts";

import { openNotifications } from "./postgres-notifications.server.ts";

export type BusMessage =
  | DomainEvent
  /** Messages of other processes may have been missed. */
  | { kind: "messages-missed" };

/** Only `services.events` uses it to publish and to subscribe. */
export type Bus = {
  /** Sends the message to the other processes. Resolves to false when that wasn't possible. */
  publish: (message: BusMessage) => Promise<boolean>;
  /** Calls `listener` with messages of other processes. */
  subscribe: (listener: BusListener) => void;
  /** Whether messages of other processes arrive. While they don't, cached data may be stale. */
  isLive: () => boolean;
  close: () => Promise<void>;
};

type BusListener = (message: BusMessage) => void;

type BusDeps = { engine: Engine; databaseUrl: string | undefined; log: Logger };

/** Connects all processes on one database. On SQLite there is only this process. */
export async function createBus({ engine, databaseUrl, log }: BusDeps): Promise<Bus> {
  if (engine === "sqlite" || !databaseUrl) {
    return {
      publish: async () => true,
      subscribe: () => undefined,
      isLive: () => true,
      close: async () => undefined,
    };
  }
  const listeners: BusListener[] = [];
  function notifyListeners(message: BusMessage) {
    for (const listener of listeners) listener(message);
  }
  const notices = await openNotifications({
    databaseUrl,
    log,
    onNotice: (text) => notifyListeners(readMessage(text, log)),
    onMissed: () => notifyListeners({ kind: "messages-missed" }),
  });
  return {
    publish: (message) => notices.send(JSON.stringify(message)),
    subscribe: (listener) => void listeners.push(listener),
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
