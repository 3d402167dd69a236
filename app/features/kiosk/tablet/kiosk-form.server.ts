import { createLead } from "#app/features/leads/create-data.server.ts";
import { countReceived } from "#app/features/kiosk/device-data.server.ts";
import type { OpenDevice } from "#app/features/kiosk/device-data.server.ts";
import type { KioskForm } from "#app/features/kiosk/kiosk-form-data.server.ts";
import { kioskMessages } from "#app/features/kiosk/messages.ts";
import { isTooOld, kioskLimits } from "#app/features/kiosk/rules.ts";
import { leadFailures, leadMessages } from "#app/features/leads/messages.ts";
import { readLeadForm } from "#app/features/leads/form-schema.ts";
import type { LeadErrors, ReadLead, TypedLead } from "#app/features/leads/form-schema.ts";
import { readFormToken, readyFormToken } from "#app/features/leads/lead-form.server.ts";
import { findSpamReasons } from "#app/features/leads/spam-rules.ts";
import { fieldText } from "#app/services/base/form-fields.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { formatWait } from "#app/services/base/format.ts";
import type { Services } from "#app/services/http/context.ts";
import { tryWrite } from "#app/services/http/save-response.server.ts";

/** A form that is shown again, with what was typed. */
export type KioskFormAgain = { typed: TypedLead; errors: LeadErrors; formToken: string; notice?: string };

type TypedForm = { device: OpenDevice; form: KioskForm; fields: FormFields };

/** Stores a form that a device without script sent. Undefined once it is stored, else what to show again. */
export async function storeTypedForm(
  services: Services,
  { device, form, fields }: TypedForm,
): Promise<{ again: KioskFormAgain; status: number } | undefined> {
  const read = readLeadForm(fields, form.settings, form.consents);
  const sent = fieldText(fields, "formToken");
  const formToken = readFormToken(services.sign, sent, device.cardId);
  const again = (status: number, notice?: string, formToken = sent) => ({
    again: { typed: read.typed, errors: read.errors, formToken, ...(notice !== undefined && { notice }) },
    status,
  });
  // Of what was erased, a hash is stored for no longer than that.
  if (!formToken || isTooOld(formToken.openedAt, services.clock()))
    return again(400, leadMessages.tooOld, readyFormToken(services, "", device.cardId));
  if (Object.keys(read.errors).length > 0) return again(400);
  const send = async () => {
    const limited = await services.rateLimits.consume([{ limit: kioskLimits.sent, subject: device.id }]);
    if (limited) return again(429, leadMessages.tooMany(formatWait(limited.until, services.clock())));
    const isStored = await store(services, { device, read, id: formToken.id });
    return isStored ? undefined : again(400, kioskMessages.textChanged);
  };
  const failure = { event: "could not store a lead of a kiosk", ...leadFailures };
  return tryWrite(services.log, send, { ...failure, refuse: (notice, status) => again(status, notice) });
}

/** False for consent to a text that the card never had, and for a card that was deleted a moment ago. */
async function store(
  services: Services,
  { device, read, id }: { device: OpenDevice; read: ReadLead; id: string },
): Promise<boolean> {
  const { kind } = await createLead(services, {
    id,
    ownerId: device.ownerId,
    cardId: device.cardId,
    source: "kiosk",
    consentSource: "kiosk",
    details: read.details,
    consents: read.consents,
    currentTexts: [],
    givenAt: services.clock(),
    spamReasons: findSpamReasons(read.details, { ageMs: Infinity, isHoneypotFilled: false }),
    onCreated: (trx) => countReceived(trx, device.id),
  });
  return kind === "created" || kind === "known" || kind === "erased";
}
