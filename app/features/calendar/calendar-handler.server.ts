import { createHash } from "node:crypto";

import type { Handler } from "hono";

import type { AppEnv, Services } from "#app/services/http/context.ts";

import { formatCalendar } from "./calendar-file.server.ts";
import { findFeedOwner, listFollowUps } from "./data.server.ts";

/** The calendar at a secret address, for programs that ask every few hours: without cookies, and without a body if nothing has changed. */
export function handleCalendar({ db, config, clock }: Services): Handler<AppEnv> {
  return async (c) => {
    const [, token] = /^([\w-]{43})\.ics$/.exec(c.req.param("token") ?? "") ?? [];
    const ownerId = token && (await findFeedOwner(db, token, clock()));
    if (!ownerId)
      return c.text("There is no calendar at this address. Its owner may have replaced or revoked it.", 404);
    const followUps = await listFollowUps(db, { ownerId, now: clock() });
    const body = formatCalendar(followUps, { baseUrl: config.baseUrl, name: "Meishi follow-ups" });
    const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`;
    const headers = { etag, "cache-control": "private, no-cache", "x-robots-tag": "noindex" };
    if (isKnown(c.req.header("if-none-match"), etag)) return c.body(null, 304, headers);
    return c.body(body, 200, { ...headers, "content-type": "text/calendar; charset=utf-8" });
  };
}

/** RFC 9110 §13.1.2: a list of tags, weak ones included, or "*". */
function isKnown(header: string | undefined, etag: string): boolean {
  const tags = (header ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
