import type { Logger } from "pino";
import { z } from "zod";

import type { Engine } from "./database.server.ts";
import { openNotices } from "./notices.server.ts";

export type BusMessage =
  | { kind: "owner-changed"; ownerId: string }
  /** Other nodes could not reach us for a while: whatever they may have said was missed. */
  | { kind: "messages-missed" };

export type Bus = {
  /** Local subscribers hear it before this returns, other processes soon. Only what is committed may be published. */
  publish: (message: BusMessage) => void;
  /** Returns the function that ends it. */
  subscribe: (listener: Listener) => () => void;
  /** Do other nodes' messages reach us? While not, what came before can't be relied on for long. */
  isLive: () => boolean;
  close: () => Promise<void>;
};

type Listener = (message: BusMessage) => void;

type Parts = { engine: Engine; databaseUrl: string | undefined; log: Logger };

/** Says to all processes on one database what has changed. On SQLite there is one process: then it stays in here. */
export async function createBus({ engine, databaseUrl, log }: Parts): Promise<Bus> {
  const listeners = new Set<Listener>();
  function tell(message: BusMessage) {
    for (const listener of listeners) listener(message);
  }
  function subscribe(listener: Listener) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }
  if (engine === "sqlite" || !databaseUrl) {
    return { publish: tell, subscribe, isLive: () => true, close: async () => undefined };
  }
  const notices = await openNotices({
    databaseUrl,
    log,
    onNotice: (text) => tell(readMessage(text, log)),
    onMissed: () => tell({ kind: "messages-missed" }),
  });
  function publish(message: BusMessage) {
    tell(message);
    notices.send(JSON.stringify(message));
  }
  return { publish, subscribe, isLive: notices.isLive, close: notices.close };
}

/** What can't be read (a node of another version sent it) may concern anything. */
function readMessage(text: string, log: Logger): BusMessage {
  try {
    return message.parse(JSON.parse(text));
  } catch (error) {
    log.debug({ err: error }, "a message of another node can't be read");
    return { kind: "messages-missed" };
  }
}

const message = z.object({ kind: z.literal("owner-changed"), ownerId: z.string() });
