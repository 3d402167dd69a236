import type { Handler } from "hono";

import type { Feature } from "#app/services/features/feature.ts";
import type { Services, AppEnv } from "#app/services/http/context.ts";

import { statisticsResource } from "./api/statistics-resource.server.ts";
import { findLinkOwner } from "./data.server.ts";
import { analyticsExport } from "./exported-data.server.ts";
import { rollUp } from "./roll-up/roll-up-data.server.ts";
import { storedAnalytics } from "./roll-up/stored-data.server.ts";
import { clickSchema, isFromPerson } from "./rules.ts";

const rollUpIntervalMs = 60_000;

export const feature: Feature = {
  resources: [statisticsResource],
  rawRoutes: [{ method: "POST", path: "/count", handler: countClick }],
  maintenance: [{ name: "counts per day", run: (services) => rollUp(services, services.clock()) }],
  storedData: storedAnalytics,
  start: startRollUps,
  dataExport: analyticsExport,
  offline: { ignoredWrites: ["/count"] },
};

/** The analytics page reads what isn't rolled up yet; every minute, so that this is little. */
function startRollUps(services: Services) {
  let running = Promise.resolve();
  const run = async () => {
    try {
      await rollUp(services, services.clock());
    } catch (error) {
      services.log.error({ err: error }, "could not roll up the counts; will retry");
    }
  };
  const timer = setInterval(() => {
    running = running.then(run);
  }, rollUpIntervalMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

/** `POST /count`: a public page's script reports that a link was followed. Always answers 204, because the page ignores the response. */
function countClick({ db, counter }: Services): Handler<AppEnv> {
  return async (c) => {
    const form = clickSchema.safeParse(await c.req.text().then(readJson));
    if (form.success && isFromPerson(c.req.header())) {
      const { address, viewer } = c.get("state");
      const ownerId = await findLinkOwner(db, form.data);
      if (ownerId !== undefined && ownerId !== viewer?.id) {
        const click = { ...form.data, ownerId, kind: "click", source: "" } as const;
        counter.count(click, { headers: c.req.header(), search: "", address });
      }
    }
    return c.body(null, 204);
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
