import { createHash } from "node:crypto";

import type { Handler } from "hono";

import type { DataExport } from "#app/services/features/data-export.ts";
import type { Feature } from "#app/services/features/feature.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";

import { formatCalendar } from "./calendar-file.server.ts";
import { deleteFeed, findFeedOwner, listFollowUps } from "./data.server.ts";

const calendarExport: DataExport = {
  tables: ["calendar_feed"],
  sections: ({ db, ownerId }) => ({
    calendarAddress: () =>
      db.selectFrom("calendar_feed").select(["created_at", "fetched_at"]).where("owner_id", "=", ownerId).execute(),
  }),
};

export const feature: Feature = {
  rawRoutes: [
    {
      method: "GET",
      path: "/calendar/:token",
      headers: "resource",
      authentication: "bearer",
      handler: handleCalendar,
    },
  ],
  secretPaths: ["/calendar/:token"],
  storedData: [
    {
      name: "calendar addresses",
      about: "owners",
      what: "**The hash of the secret address of your calendar**, and when a calendar last asked for it",
      why: "so that your calendar shows your follow-up dates",
      howLong: "until you revoke the address",
    },
  ],
  subscribers: [
    {
      name: "calendars of deleted accounts",
      kinds: ["account.deleted"],
      once: (_, { ownerId }, trx) => deleteFeed(trx, ownerId),
    },
  ],
  dataExport: calendarExport,
};

/** The calendar at a secret address, for programs that ask every few hours: without cookies, and without a body if nothing has changed. */
function handleCalendar({ db, config, clock }: Services): Handler<AppEnv> {
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
