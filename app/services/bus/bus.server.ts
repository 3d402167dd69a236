import type { Logger } from "pino";
import { z } from "zod";

import type { Engine } from "#app/services/database/database.server.ts";
import { openNotifications } from "./postgres-notifications.server.ts";

export type BusMessage =
  | { kind: "owner-changed"; ownerId: string }
  /** Messages of other processes may have been missed. */
  | { kind: "messages-missed" };

export type Bus = {
  /** Calls local subscribers before it returns; other processes get it soon after. Publish only committed changes. */
  publish: (message: BusMessage) => void;
  /** Returns a function that unsubscribes. */
  subscribe: (listener: BusListener) => () => void;
  /** Whether messages of other processes arrive. While they don't, cached data may be stale. */
  isLive: () => boolean;
  close: () => Promise<void>;
};

type BusListener = (message: BusMessage) => void;

type BusDeps = { engine: Engine; databaseUrl: string | undefined; log: Logger };

/** Publishes changes to all processes on one database. On SQLite there is only this process. */
export async function createBus({ engine, databaseUrl, log }: BusDeps): Promise<Bus> {
  const listeners = new Set<BusListener>();
  function notifySubscribers(message: BusMessage) {
    for (const listener of listeners) listener(message);
  }
  function subscribe(listener: BusListener) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }
  if (engine === "sqlite" || !databaseUrl) {
    return { publish: notifySubscribers, subscribe, isLive: () => true, close: async () => undefined };
  }
  const notices = await openNotifications({
    databaseUrl,
    log,
    onNotice: (text) => notifySubscribers(readMessage(text, log)),
    onMissed: () => notifySubscribers({ kind: "messages-missed" }),
  });
  function publish(message: BusMessage) {
    notifySubscribers(message);
    notices.send(JSON.stringify(message));
  }
  return { publish, subscribe, isLive: notices.isLive, close: notices.close };
}

/** An unknown message (from another version) may be about anything, so it counts as missed messages. */
function readMessage(text: string, log: Logger): BusMessage {
  try {
    return busMessage.parse(JSON.parse(text));
  } catch (error) {
    log.debug({ err: error }, "a message of another process can't be read");
    return { kind: "messages-missed" };
  }
}

const busMessage = z.object({ kind: z.literal("owner-changed"), ownerId: z.string() });
