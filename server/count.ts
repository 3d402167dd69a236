import type { Handler } from "hono";

import { findLinkOwner } from "#app/features/analytics/data.server.ts";
import { clickForm } from "#app/features/analytics/form.ts";
import { isCounted } from "#app/features/analytics/rules.ts";
import type { Services } from "#app/services/context.ts";

import type { AppEnv } from "./app.ts";

/** Where the page's script reports that a link was followed. Answers 204 whatever it thinks of the report: nobody reads it. */
export function count({ db, counter }: Services): Handler<AppEnv> {
  return async (c) => {
    const form = clickForm.safeParse(await c.req.text().then(readJson));
    if (form.success && isCounted(c.req.header())) {
      const ownerId = await findLinkOwner(db, form.data);
      if (ownerId !== undefined && ownerId !== c.get("facts").viewer?.id) {
        counter.count({ subject: form.data.subject, kind: "click", source: "", target: form.data.target });
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
