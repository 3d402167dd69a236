import type { Handler } from "hono";

import type { AppEnv, Services } from "#app/services/http/context.ts";

import { findLinkOwner } from "./data.server.ts";
import { clickSchema, isFromPerson } from "./rules.ts";

/** `POST /count`: a public page's script reports that a link was followed. Always answers 204, because the page ignores the response. */
export function countClick({ db, counter }: Services): Handler<AppEnv> {
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
