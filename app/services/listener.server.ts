import { Client } from "pg";

import { connectionOptions } from "./postgres.server.ts";

type Options = {
  databaseUrl: string;
  /** What our own payloads begin with. */
  own: string;
  onPayload: (payload: string) => void;
  /** Comes once, after the listener was open: it no longer is. */
  onLost: (error: unknown) => void;
};

export type Listener = {
  /** False when it could not be sent: the connection is lost then. */
  notify: (payload: string) => Promise<boolean>;
  close: () => Promise<void>;
};

/**
 * One PostgreSQL connection that listens. It counts as open only while our own pings come back: a pooler in between, or a
 * database that only speaks PostgreSQL's language, may accept LISTEN and never deliver anything. Throws when it can't be had.
 */
export async function openListener({ databaseUrl, own, onPayload, onLost }: Options): Promise<Listener> {
  const client = new Client({ ...connectionOptions(databaseUrl), query_timeout: ANSWER_WITHIN });
  let state: "opening" | "open" | "over" = "opening";
  let timer: NodeJS.Timeout | undefined;
  let cameBack = false;

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

  async function ping() {
    cameBack = false;
    await client.query(NOTIFY, [CHANNEL, own]);
    // A notice to oneself is delivered before the statement counts as done.
    if (!cameBack)
      throw new Error("PostgreSQL does not deliver notices on this connection: is there a pooler in between?");
  }

  async function notify(payload: string) {
    try {
      await client.query(NOTIFY, [CHANNEL, payload]);
      return true;
    } catch (error) {
      lose(error);
      return false;
    }
  }

  client.on("error", lose);
  client.on("end", () => lose(new Error("the connection ended")));
  client.on("notification", ({ payload = "" }) => {
    if (payload === own) cameBack = true;
    else onPayload(payload);
  });
  try {
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    await ping();
  } catch (error) {
    await close();
    throw error;
  }
  state = "open";
  timer = setInterval(() => void ping().catch(lose), PING_EVERY);
  return { notify, close };
}

const CHANNEL = "meishi";
const NOTIFY = "select pg_notify($1, $2)";
const PING_EVERY = 5000;
const ANSWER_WITHIN = 5000;
