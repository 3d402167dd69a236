import type { Handler } from "hono";
import { sql } from "kysely";

import type { Services } from "#app/services/context.ts";
import { within } from "#app/services/time-limit.ts";

import type { AppEnv } from "./app.ts";

/** For a load balancer or a monitor: 200 while this process answers and its database does. */
export function health({ db, log }: Services): Handler<AppEnv> {
  return async (c) => {
    try {
      // A database that is there but silent would keep the monitor waiting.
      await within(PATIENCE_MS, sql`select 1`.execute(db));
      return c.json({ status: "ok", database: "ok" });
    } catch (error) {
      log.error({ err: error, id: c.get("facts").id }, "the database does not answer");
      return c.json({ status: "failing", database: "failing" }, 503);
    }
  };
}

const PATIENCE_MS = 3_000;
