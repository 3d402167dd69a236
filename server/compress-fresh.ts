import type { MiddlewareHandler } from "hono";
import { compress } from "hono/compress";

import type { AppEnv } from "./app.ts";

const compressAnswer = compress();

/** Compresses what is made for one request alone. What the page cache keeps it compresses itself, once. */
export const compressFresh: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  if (!c.get("isKept")) await compressAnswer(c, async () => undefined);
};
