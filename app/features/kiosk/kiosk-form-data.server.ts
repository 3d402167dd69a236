import { findFirstCard } from "#app/features/cards/public-card.server.ts";
import type { LoadedCard } from "#app/features/cards/public-card.server.ts";
import { fallbackName } from "#app/features/cards/public/business-card.tsx";
import { ensureConsentText, findConsentText } from "#app/features/leads/consent-data.server.ts";
import { createLead } from "#app/features/leads/create-data.server.ts";
import type { CreateLeadResult, NewLead } from "#app/features/leads/create-data.server.ts";
import { findLeadForm } from "#app/features/leads/form-data.server.ts";
import { findOpenForm } from "#app/features/leads/lead-form.server.ts";
import type { OpenForm } from "#app/features/leads/lead-form.server.ts";
import { findSpamReasons } from "#app/features/leads/spam-rules.ts";
import { transact } from "#app/services/database/database.server.ts";
import { lockOwner } from "#app/services/database/owner-lock.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { countReceived } from "./device-data.server.ts";
import type { OpenDevice } from "./device-data.server.ts";

/** Whether devices can show the form of an owner's card: it may be off, or visitors can't open the card. */
export async function findFormState(
  services: Pick<Services, "db" | "config" | "clock">,
  cardId: string,
): Promise<"ready" | "off" | "hidden"> {
  const { isOn } = await findLeadForm(services.db, cardId);
  if (!isOn) return "off";
  return (await findFirstCard(services, { id: cardId })) ? "ready" : "hidden";
}

export type KioskForm = OpenForm & { loaded: LoadedCard; displayName: string };

/**
 * The form for a device; undefined while it is off or visitors can't open the card. Its texts are stored as versions now: what is filled in
 * offline refers to them later.
 */
export async function findKioskForm(services: Services, device: OpenDevice): Promise<KioskForm | undefined> {
  const loaded = await findFirstCard(services, { id: device.cardId });
  if (!loaded || loaded.ownerId !== device.ownerId) return undefined;
  const { card, ownerId } = loaded;
  const displayName = card.displayName.trim() || fallbackName;
  const open = await findOpenForm(services, { cardId: card.id, ownerId, displayName, company: card.company ?? "" });
  if (!open) return undefined;
  await storeTexts(services, ownerId, open.consents);
  return { ...open, loaded, displayName };
}

async function storeTexts({ db, clock }: Services, ownerId: string, texts: OpenForm["consents"]): Promise<void> {
  const known = await Promise.all(texts.map(({ purpose, hash }) => findConsentText(db, { ownerId, purpose, hash })));
  if (known.every((text) => text !== undefined)) return;
  await transact(db, async (trx) => {
    await lockOwner(trx, ownerId);
    for (const { purpose, text } of texts) await ensureConsentText(trx, { ownerId, purpose, text, now: clock() });
  });
}

/** Creates the lead of a form that was filled in on a device, whether it is sent once or again. */
export function createKioskLead(
  services: Services,
  { id: deviceId, ownerId, cardId }: OpenDevice,
  lead: Pick<NewLead, "id" | "details" | "consents" | "givenAt">,
): Promise<CreateLeadResult> {
  return createLead(services, {
    ...lead,
    ownerId,
    cardId,
    source: "kiosk",
    consentSource: "kiosk",
    // All that devices have shown are stored.
    currentTexts: [],
    spamReasons: findSpamReasons(lead.details, { ageMs: Infinity, isHoneypotFilled: false }),
    onCreated: (trx) => countReceived(trx, deviceId),
  });
}
