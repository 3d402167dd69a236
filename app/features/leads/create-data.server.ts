import { countLead } from "#app/features/analytics/data.server.ts";
import { isNotBlocked } from "#app/services/database/account-block.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { nearbyNetworkOf, networkOf } from "#app/services/http/rate-limits.server.ts";
import type { Attempt, RateLimit } from "#app/services/http/rate-limits.server.ts";

import { ensureConsentText, findConsentText, insertConsents } from "./consent-data.server.ts";
import type { ConsentText } from "./consent-data.server.ts";
import { changeContacts } from "./contact-data.server.ts";
import { agreedMonths } from "./consent-text.ts";
import { erasedKey, findRetentionMonths, withPrevious } from "./data.server.ts";
import { toDetailColumns } from "./lead-row.server.ts";
import type { NewDetails } from "./lead-row.server.ts";
import {
  endOfRetention,
  givenTime,
  isOnlyAboveLimit,
  isSuspicious,
  leadLimits,
  mailboxKey,
  maxOfflineMs,
  quarantineMs,
} from "./rules.ts";
import type { ConsentPurpose, SpamReason } from "./rules.ts";
import type { ConsentSource, SourceOfLead } from "./schema.ts";

export type NewLead = {
  /** From the form or the device: however often it is sent, it creates one lead. */
  id: string;
  ownerId: string;
  cardId: string;
  source: SourceOfLead;
  consentSource: ConsentSource;
  details: NewDetails;
  /** The hashes of the texts that the visitor agreed to. */
  consents: readonly { purpose: ConsentPurpose; hash: string }[];
  /** The texts as they are now. Leads from devices may also refer to texts that are known from before. */
  currentTexts: readonly { purpose: ConsentPurpose; text: string }[];
  /** When the visitor agreed, by the clock of their device. */
  givenAt: number;
  /** What already looks like spam. */
  spamReasons?: readonly SpamReason[];
  /** The visitor's network address; without one, its limits don't apply. */
  address?: string;
  /** Writes what belongs to a new lead, in its transaction. */
  onCreated?: (trx: Trx) => Promise<void>;
};

export type CreateLeadResult =
  | { kind: "created"; isQuarantined: boolean }
  /** The same form was sent before. */
  | { kind: "known" }
  /** It was sent before and erased: it stays erased. */
  | { kind: "erased" }
  /** The form is off, or there is no such card. */
  | { kind: "closed" }
  /** The visitor agreed to a text that we never showed, or that has changed since. */
  | { kind: "unknown-consent" }
  /** Filled in so long ago that it isn't accepted any more. */
  | { kind: "too-old" }
  | { kind: "rate-limited"; until: number; limit: string };

type CreateDeps = Pick<Services, "db" | "events" | "rateLimits" | "sign" | "clock">;

/**
 * Stores a lead with the proof of its consents, in one transaction that locks the card's form: of twenty submissions of one form, one
 * creates a lead. Suspected spam goes to quarantine, and its visitor can't tell.
 */
export async function createLead(deps: CreateDeps, lead: NewLead): Promise<CreateLeadResult> {
  return transact(deps.db, (trx) => createInTransaction(trx, deps, lead));
}

async function createInTransaction(trx: Trx, deps: CreateDeps, lead: NewLead): Promise<CreateLeadResult> {
  const now = deps.clock();
  if (!(await lockForm(trx, lead, now))) return { kind: "closed" };
  const refused = await refuseNetwork(trx, deps, lead);
  if (refused) return { kind: "rate-limited", ...refused };
  const past = await findPast(trx, deps.sign, lead.id);
  if (past) return { kind: past };
  const givenAt = givenTime(lead.givenAt, now);
  if (now - givenAt > maxOfflineMs) return { kind: "too-old" };
  const texts = await findTexts(trx, lead, now);
  if (!texts) return { kind: "unknown-consent" };
  const limits = await consumeLimits(trx, deps, lead);
  if ("until" in limits) return { kind: "rate-limited", ...limits };
  const reasons = [...(lead.spamReasons ?? []), ...limits.reasons];
  const isQuarantined = isSuspicious(reasons);
  const months = agreedMonths(texts, await findRetentionMonths(trx, lead.ownerId));
  const { id, ownerId, cardId, source } = lead;
  const inserted = await trx
    .insertInto("lead")
    .values({
      id,
      owner_id: ownerId,
      card_id: cardId,
      source,
      ...toDetailColumns(lead.details),
      quarantined_at: isQuarantined ? now : null,
      spam_reasons: JSON.stringify(reasons),
      // Its owner has just typed it.
      read_at: lead.consentSource === "in person" ? now : null,
      created_at: givenAt,
      received_at: now,
      expires_at: isQuarantined ? now + quarantineMs : endOfRetention(givenAt, months),
    })
    // An id of another card: ids of forms are signed, those of devices are random.
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!inserted) return { kind: "known" };
  await insertConsents(trx, { leadId: id, ownerId, source: lead.consentSource, givenAt }, texts);
  await lead.onCreated?.(trx);
  if (!isQuarantined)
    await announceLead(trx, deps.events, { id, ownerId, cardId, source, hour: Math.floor(now / 3_600_000) });
  else if (isOnlyAboveLimit(reasons)) await deps.events.record(trx, { kind: "lead.suspected", ownerId, leadId: id });
  await changeContacts(trx, { ownerId, ids: [id] });
  return { kind: "created", isQuarantined };
}

/** Locks the card's form until the transaction ends. False when visitors can't use it, or when the owner has no such card. */
async function lockForm(trx: Trx, { ownerId, cardId, consentSource }: NewLead, now: number): Promise<boolean> {
  const card = trx
    .selectFrom("card")
    .select("card.id")
    .where("card.id", "=", cardId)
    .where("card.owner_id", "=", ownerId);
  const isForVisitors = consentSource === "form";
  if (!isForVisitors && (await card.executeTakeFirst())) {
    await trx
      .insertInto("lead_form")
      .values({ card_id: cardId, owner_id: ownerId, updated_at: now })
      .onConflict((conflict) => conflict.column("card_id").doNothing())
      .execute();
  }
  const openCard = card
    .where("card.is_public", "=", 1)
    .where("card.is_paused", "=", 0)
    .where(isNotBlocked("card.owner_id"));
  const { numUpdatedRows } = await trx
    .updateTable("lead_form")
    .set((row) => ({ received: row.ref("received") }))
    .where("card_id", "=", cardId)
    .where("owner_id", "=", ownerId)
    .where(({ exists }) => exists(isForVisitors ? openCard : card))
    .$if(isForVisitors, (query) => query.where("is_on", "=", 1))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function findPast(trx: Trx, sign: Services["sign"], id: string): Promise<"known" | "erased" | undefined> {
  const known = await trx.selectFrom("lead").select("id").where("id", "=", id).executeTakeFirst();
  if (known) return "known";
  const erased = await trx
    .selectFrom("erased_lead")
    .select("hash")
    .where(
      "hash",
      "in",
      withPrevious(sign, (one) => erasedKey(one, id)),
    )
    .executeTakeFirst();
  return erased && "erased";
}

/**
 * The texts that the visitor agreed to; undefined when one of them was never shown to visitors. The form is shown again when a text has
 * changed; what was filled in on a device can't be, so it may refer to an earlier one.
 */
async function findTexts(
  trx: Trx,
  { ownerId, consentSource, consents, currentTexts }: NewLead,
  now: number,
): Promise<ConsentText[] | undefined> {
  const current = new Map<ConsentPurpose, ConsentText>();
  for (const { purpose, text } of currentTexts)
    current.set(purpose, await ensureConsentText(trx, { ownerId, purpose, text, now }));
  const found: ConsentText[] = [];
  for (const { purpose, hash } of consents) {
    const now = current.get(purpose);
    const isCurrent = now?.hash === hash;
    if (!isCurrent && consentSource === "form") return undefined;
    const text = isCurrent ? now : await findConsentText(trx, { ownerId, purpose, hash });
    if (!text) return undefined;
    found.push(text);
  }
  return found.length > 0 ? found : undefined;
}

/** Counts a submission of the form against the limits of its network that refuse it, whatever becomes of it. */
async function refuseNetwork(
  trx: Trx,
  { rateLimits }: CreateDeps,
  { consentSource, address }: NewLead,
): Promise<{ until: number; limit: string } | undefined> {
  if (consentSource !== "form" || address === undefined) return undefined;
  return rateLimits.consume(submissionsOf(address), { trx });
}

/** What counts every form that a network sends, also a refused one. */
export function submissionsOf(address: string): Attempt[] {
  return [
    { limit: leadLimits.mostOfNetwork, subject: networkOf(address) },
    { limit: leadLimits.mostOfNearby, subject: nearbyNetworkOf(address) },
  ];
}

/**
 * Counts a lead against the other limits, and stops at the first that is exceeded: what is suspected must not use up its card's limit. Above
 * that, the first leads of each network are still accepted, so that a few networks can't hide everyone else's.
 */
async function consumeLimits(
  trx: Trx,
  { rateLimits }: CreateDeps,
  { cardId, ownerId, consentSource, address, details, spamReasons = [] }: NewLead,
): Promise<{ until: number; limit: string } | { reasons: SpamReason[] }> {
  const consume = (attempts: Attempt[]) => rateLimits.consume(attempts, { trx });
  const count = (limit: RateLimit, subject: string) => consume([{ limit, subject }]);
  const suspect = async (...reasons: SpamReason[]) =>
    (await count(leadLimits.mostSuspectedOfCard, cardId)) ?? { reasons };
  if (consentSource === "in person") return (await count(leadLimits.inPerson, ownerId)) ?? { reasons: [] };
  if (consentSource !== "form") {
    // A visitor with the device in hand could have a stranger mailed again and again.
    const isLimited = consentSource === "kiosk" && details.email !== "";
    const exceeded = isLimited && (await consume(mailboxAttempts(ownerId, details.email)));
    return { reasons: exceeded ? ["address-limit"] : [] };
  }
  if (address !== undefined && (await consume(networkAttempts(address)))) return suspect("network-limit");
  if (isSuspicious(spamReasons)) return suspect();
  if (details.email && (await consume(mailboxAttempts(ownerId, details.email)))) return suspect("address-limit");
  const isLater = address === undefined || (await consume(firstAttempts(cardId, address))) !== undefined;
  if ((await count(leadLimits.ofCard, cardId)) && isLater) return suspect("card-limit");
  return (await count(leadLimits.mostOfCard, cardId)) ?? { reasons: [] };
}

function networkAttempts(address: string): Attempt[] {
  return [
    { limit: leadLimits.ofNetwork, subject: networkOf(address) },
    { limit: leadLimits.ofNearby, subject: nearbyNetworkOf(address) },
  ];
}

function firstAttempts(cardId: string, address: string): Attempt[] {
  return [
    { limit: leadLimits.firstOfNetwork, subject: `${cardId} ${networkOf(address)}` },
    { limit: leadLimits.firstOfNearby, subject: `${cardId} ${nearbyNetworkOf(address)}` },
  ];
}

function mailboxAttempts(ownerId: string, email: string): Attempt[] {
  const mailbox = mailboxKey(email);
  return [
    { limit: leadLimits.ofMailbox, subject: `${ownerId} ${mailbox}` },
    { limit: leadLimits.ofMailboxInAll, subject: mailbox },
  ];
}

/** `hour`: when it is counted, in epoch milliseconds / 3600000. */
type AnnouncedLead = { id: string; ownerId: string; cardId: string; source: string; hour: number };

/** Counts a lead, for good, and records its event. */
export async function announceLead(trx: Trx, events: Services["events"], lead: AnnouncedLead): Promise<void> {
  await trx
    .updateTable("lead_form")
    .set((row) => ({ received: row("received", "+", 1) }))
    .where("card_id", "=", lead.cardId)
    .execute();
  await countLead(trx, lead);
  await events.record(trx, { kind: "lead.created", ownerId: lead.ownerId, leadId: lead.id, cardId: lead.cardId });
}
