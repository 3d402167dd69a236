import type { MiddlewareHandler } from "hono";
import { compress } from "hono/compress";

import { hasSession } from "#app/services/auth.server.ts";

import type { AppEnv } from "./app.ts";

const compressAnswer = compress();

/** Compresses what is made for one request alone. What the page cache keeps it compresses itself, once. */
export const compressFresh: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  const isKept = c.get("facts").publicPage && !hasSession(c.req.header("cookie"));
  if (!isKept) await compressAnswer(c, async () => undefined);
};
