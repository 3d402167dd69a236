import { checkSubscription } from "#app/features/billing/data.server.ts";
import { cardPath } from "#app/features/cards/address-rules.ts";
import { findLeadForServices } from "#app/features/leads/services-data.server.ts";
import type { Lead, LeadConsent } from "#app/features/leads/schema.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { DomainEvent } from "#app/services/events/event.ts";
import type { Services } from "#app/services/http/context.ts";

import { isWebhookKind } from "./rules.ts";
import type { WebhookKind } from "./rules.ts";

/** What is stored of an event until it is sent: nothing about a lead but its id. */
export type StoredEvent = {
  kind: WebhookKind;
  ownerId: string;
  leadId: string;
  cardId: string;
  count: number;
  content: Record<string, unknown>;
};

type Deps = Pick<Services, "config" | "clock">;

/** Undefined for other events, and for those of a card that is gone. */
export async function toStoredEvent(trx: Trx, deps: Deps, event: DomainEvent): Promise<StoredEvent | undefined> {
  const { kind, ownerId } = event;
  if (!isWebhookKind(kind)) return undefined;
  const stored = { kind, ownerId, leadId: "", cardId: "", count: 1, content: {} };
  switch (event.kind) {
    case "lead.created":
      return { ...stored, leadId: event.leadId, cardId: event.cardId };
    case "consent.withdrawn":
      // Not as the lead of the delivery: what is about that is dropped with it.
      return { ...stored, content: { lead_id: event.leadId, request: event.request } };
    case "contact.saved": {
      const content = { card_id: event.cardId, source: event.source || null };
      return { ...stored, cardId: event.cardId, count: event.count, content };
    }
    case "plan.changed": {
      const { plan, endsAt } = await checkSubscription({ ...deps, db: trx }, ownerId);
      return { ...stored, content: { plan: plan.id, ends_at: isoTime(endsAt) } };
    }
    case "card.saved": {
      const content = await readCard(trx, { id: event.cardId, ownerId, baseUrl: deps.config.baseUrl });
      return content && { ...stored, cardId: event.cardId, content };
    }
    default:
      return undefined;
  }
}

type CardRequest = { id: string; ownerId: string; baseUrl: string };

async function readCard(trx: Trx, { id, ownerId, baseUrl }: CardRequest) {
  const card = await trx
    .selectFrom("card")
    .select(["card_name", "is_public", "is_paused", "code"])
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  return (
    card && {
      id,
      name: card.card_name,
      url: baseUrl + cardPath({ id, code: card.code }),
      is_public: card.is_public === 1,
      is_paused: card.is_paused === 1,
    }
  );
}

/** What becomes of a delivery about a lead: it is sent; it isn't, because the lead is gone; or later, while a deletion can be undone. */
export type LeadContent = { kind: "sent"; content: Record<string, unknown> } | { kind: "gone" } | { kind: "hidden" };

/** The details of a lead as they are now. What its visitor withdrew or erased isn't sent anymore. */
export async function readLead(
  db: Db | Trx,
  { id, ownerId, baseUrl }: { id: string; ownerId: string; baseUrl: string },
): Promise<LeadContent> {
  const found = await findLeadForServices(db, { ownerId, id });
  if (found.kind === "refused") return { kind: "gone" };
  if (found.kind === "hidden") return found;
  return { kind: "sent", content: { ...leadContent(found.lead, found.consents), url: `${baseUrl}/leads/${id}` } };
}

/** Whether a visitor withdrew all consent, and not only that to news. */
export async function isLeadWithdrawn(trx: Trx, id: string): Promise<boolean> {
  const row = await trx.selectFrom("lead").select("withdrawn_at").where("id", "=", id).executeTakeFirst();
  return row?.withdrawn_at != null;
}

/** All that the owner sees of what the visitor shared, with the proof of consent. Without a value: null. */
export function leadContent(lead: Omit<Lead, "ownerId">, consents: readonly LeadConsent[]) {
  return {
    id: lead.id,
    card_id: lead.cardId,
    source: lead.source || null,
    name: lead.name || null,
    email: lead.email || null,
    phone: lead.phone || null,
    company: lead.company || null,
    title: lead.title || null,
    website: lead.website || null,
    note: lead.note || null,
    answers: lead.answers.map(({ question, answer }) => ({ question, answer: answer || null })),
    consents: consents.map((consent) => ({
      purpose: consent.purpose,
      version: consent.version,
      text: consent.text,
      text_sha256: consent.hash,
      source: consent.source,
      given_at: isoTime(consent.givenAt),
      withdrawn_at: isoTime(consent.withdrawnAt),
    })),
    created_at: isoTime(lead.createdAt),
    received_at: isoTime(lead.receivedAt),
    delete_after: isoTime(lead.expiresAt),
  };
}

export function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

type Message = { kind: string; happenedAt: number; content: Record<string, unknown>; count: number; isTest: boolean };

/** The body of a message: `type`, `timestamp` and `data` of Standard Webhooks. */
export function formatBody({ kind, happenedAt, content, count, isTest }: Message): string {
  const data = kind === "contact.saved" ? { ...content, count } : content;
  return JSON.stringify({ type: kind, timestamp: isoTime(happenedAt), ...(isTest && { test: true }), data });
}
