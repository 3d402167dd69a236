import { randomBytes } from "node:crypto";

import type { MiddlewareHandler } from "hono";

import type { Services } from "#app/services/context.ts";
import { pathWithoutEmails } from "#app/services/plain-text.ts";

import type { AppEnv } from "./app.ts";

const processPart = randomBytes(4).toString("hex");
let requests = 0;

/** Short, unique over processes: what an error page shows and the log line carries. */
export function newRequestId(): string {
  requests += 1;
  return `${processPart}-${requests.toString(36)}`;
}

/** One line a request: no address, no mail address, no query (reset tokens travel there), no name of a person. */
export function requestLog({ log }: Services): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const started = performance.now();
    await next();
    const { id } = c.get("facts");
    c.res.headers.set("x-request-id", id);
    log.info({
      id,
      method: c.req.method,
      path: pathWithoutEmails(c.req.path),
      status: c.res.status,
      ms: Math.round(performance.now() - started),
    });
  };
}
