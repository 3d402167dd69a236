import type { Handler } from "hono";

import { isEqualText } from "#app/services/base/signed-token.server.ts";
import type { Feature } from "#app/services/features/feature.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";

import { readState } from "./state-report.server.ts";

export const feature: Feature = {
  rawRoutes: [{ method: "GET", path: "/metrics", authentication: "bearer", handler: metricsHandler }],
};

/** What Prometheus reads. Without METRICS_TOKEN there is no such page. */
function metricsHandler(services: Services): Handler<AppEnv> {
  const { config, metrics } = services;
  return async (c) => {
    if (config.metricsToken === undefined) return c.notFound();
    const [, token = ""] = /^Bearer +(\S+) *$/i.exec(c.req.header("authorization") ?? "") ?? [];
    if (!isEqualText(token, config.metricsToken))
      return c.text("Send METRICS_TOKEN in the header: Authorization: Bearer …\n", 401, {
        "www-authenticate": "Bearer",
      });
    const texts = [await metrics.read(), await readState(services)];
    return c.body(texts.join("\n"), 200, { "content-type": metrics.contentType, "cache-control": "no-store" });
  };
}
