import { randomUUID } from "node:crypto";

import { withTimeout } from "#app/services/base/time-limit.ts";
import type { Services } from "#app/services/http/context.ts";

import { cachedRead } from "#app/features/status/cached-read.ts";
import { removeInstance } from "#app/features/status/heartbeat-data.server.ts";

import { checkDatabase, checkStorage } from "./checks.server.ts";

/** `low`: there is little space left. */
export type Readiness = { database: "well" | "failing"; files: "well" | "low" | "failing" };

/** Whether this process can write right now. Never throws; at most once a second, because every visitor can request it. */
export const readReadiness = cachedRead(1_000, async (services: Services, now): Promise<Readiness> => {
  const probe = { id: randomUUID(), startedAt: now };
  async function attempt<State>(check: string, work: () => Promise<State>): Promise<State | "failing"> {
    try {
      return await withTimeout(timeoutMs, work());
    } catch (error) {
      services.log.error({ err: error, check }, "this process isn't ready");
      return "failing";
    }
  }
  const [database, files] = await Promise.all([
    attempt("database", async () => {
      const state = await checkDatabase(services, probe);
      await removeInstance(services.db, probe.id);
      return state;
    }),
    attempt("files", () => checkStorage(services, probe)),
  ]);
  return { database, files };
});

const timeoutMs = 3_000;
