import type { Context, Handler } from "hono";

import { findDevice } from "#app/features/kiosk/device-data.server.ts";
import type { OpenDevice } from "#app/features/kiosk/device-data.server.ts";
import { openEntry } from "#app/features/kiosk/entry-content.server.ts";
import { createKioskLead } from "#app/features/kiosk/kiosk-form-data.server.ts";
import { givenTimeOf, kioskLimits } from "#app/features/kiosk/rules.ts";
import { batchSchema } from "#app/features/kiosk/schema.ts";
import type { BatchResponse, EntryContent, EntryResult } from "#app/features/kiosk/schema.ts";
import type { AppEnv, Services } from "#app/services/http/context.ts";

/**
 * `POST /kiosk/{token}/leads`: stores what a device sends, each form in a transaction of its own, and says what became of each. A form that
 * was sent before is delivered already. Quarantined and erased ones are delivered too: no visitor can tell.
 */
export function receiveLeads(services: Services): Handler<AppEnv> {
  return async (c) => {
    c.set("isJson", true);
    const device = await findDevice(services, c.req.param("token") ?? "");
    if (!device) return respond(c, { error: "This kiosk link doesn’t work anymore." }, 404);
    const refused = await services.rateLimits.consume([{ limit: kioskLimits.requests, subject: device.id }]);
    if (refused) return respond(c, { results: [], retryAfter: secondsUntil(refused.until, services.clock()) });
    const batch = batchSchema.safeParse(await readJson(c));
    if (!batch.success) return respond(c, { error: "This isn’t what the page of this kiosk sends." }, 400);
    return respond(c, await storeEntries(services, device, batch.data));
  };
}

type Batch = { sentAt: number; entries: readonly { id: string; content: string }[] };

async function storeEntries(services: Services, device: OpenDevice, batch: Batch): Promise<BatchResponse> {
  const results: EntryResult[] = [];
  for (const entry of batch.entries) {
    const limited = await services.rateLimits.consume([{ limit: kioskLimits.sent, subject: device.id }]);
    if (limited) return { results, retryAfter: secondsUntil(limited.until, services.clock()) };
    const content = await openEntry(services.sign, device.cardId, entry);
    const result = content
      ? await storeEntry(services, device, { content, sentAt: batch.sentAt })
      : ({ id: entry.id, result: "refused", reason: "unreadable" } as const);
    // The card was deleted a moment ago: the next request learns that the link is gone.
    if (result) results.push(result);
  }
  return { results };
}

async function storeEntry(
  services: Services,
  device: OpenDevice,
  { content, sentAt }: { content: EntryContent; sentAt: number },
): Promise<EntryResult | undefined> {
  const { id, details, consents } = content;
  const givenAt = givenTimeOf({ ...content, sentAt, now: services.clock() });
  const { kind } = await createKioskLead(services, device, { id, details, consents, givenAt });
  if (kind === "too-old" || kind === "unknown-consent") return { id, result: "refused", reason: kind };
  return kind === "closed" || kind === "rate-limited" ? undefined : { id, result: "delivered" };
}

/** Undefined for what isn't JSON. */
async function readJson(c: Context<AppEnv>): Promise<unknown> {
  try {
    return JSON.parse(await c.req.text());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function respond(c: Context<AppEnv>, body: BatchResponse | { error: string }, status: 200 | 400 | 404 = 200): Response {
  return c.json(body, status, { "cache-control": "no-store" });
}

function secondsUntil(time: number, now: number): number {
  return Math.max(1, Math.ceil((time - now) / 1_000));
}
