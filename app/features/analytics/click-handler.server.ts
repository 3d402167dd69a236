import type { Handler } from "hono";
import { LRUCache } from "lru-cache";

import type { AppEnv, RequestState, Services } from "#app/services/http/context.ts";
import { networkOf } from "#app/services/http/rate-limits.server.ts";
import { logSecurityEvent } from "#app/services/http/security-log.ts";

import { findLinkOwner } from "./data.server.ts";
import { clickLimit, clickSchema, isFromPerson } from "./rules.ts";

/** `POST /count`: a public page's script reports that a link was followed. Always answers 204, because the page ignores the response. */
export function countClick({ db, counter, log }: Services): Handler<AppEnv> {
  /** Clicks of the last hour by network and page. In memory: a row per click would cost more than the click. */
  const clicks = new LRUCache<string, { count: number }>({ max: 10_000, ttl: clickLimit.windowMs });

  function isLimited(subject: string, { id, address }: RequestState): boolean {
    const key = `${networkOf(address)} ${subject}`;
    const entry = clicks.get(key) ?? { count: 0 };
    if (entry.count === 0) clicks.set(key, entry);
    entry.count += 1;
    if (entry.count === clickLimit.max + 1)
      logSecurityEvent(log, { event: "limit-reached", id, account: undefined, limit: clickLimit.name });
    return entry.count > clickLimit.max;
  }

  return async (c) => {
    const form = clickSchema.safeParse(await c.req.text().then(readJson));
    if (form.success && isFromPerson(c.req.header())) {
      // Before the limit: made-up subjects must not push real entries out of it.
      const ownerId = await findLinkOwner(db, form.data);
      const isOwn = ownerId === c.get("state").viewer?.id;
      if (ownerId !== undefined && !isOwn && !isLimited(form.data.subject, c.get("state"))) {
        const { subject, target } = form.data;
        counter.count({ ownerId, subject, kind: "click", source: "", target }, { headers: c.req.header(), search: "" });
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
