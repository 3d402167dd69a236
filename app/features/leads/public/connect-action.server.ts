import { data, redirect } from "react-router";

import { createLead, submissionsOf } from "#app/features/leads/create-data.server.ts";
import type { CreateLeadResult } from "#app/features/leads/create-data.server.ts";
import { leadFailures, leadMessages as messages } from "#app/features/leads/messages.ts";
import { formatWait } from "#app/services/base/format.ts";
import type { SentForm } from "#app/services/forms/form-action.server.ts";
import { tryWrite } from "#app/services/http/save-response.server.ts";

import { consentField, readLeadForm } from "#app/features/leads/form-schema.ts";
import type { LeadErrors, ReadLead, TypedLead } from "#app/features/leads/form-schema.ts";
import { makeSentToken, readFormToken, readyFormToken } from "#app/features/leads/lead-form.server.ts";
import type { OpenForm } from "#app/features/leads/lead-form.server.ts";
import { findSpamReasons, honeypotField, maxFormAgeMs } from "#app/features/leads/spam-rules.ts";

/** A form that is shown again: what was typed, its errors, and the token to send it with. */
export type ConnectResult = { typed: TypedLead; errors: LeadErrors; notice?: string; formToken: string };

type OpenCard = { open: OpenForm; card: { id: string; ownerId: string; path: string } };

/** Stores what a visitor shared and redirects to the thanks, or returns the form with everything that was typed. */
export async function handleLeadForm({ all, form, text, origin: { address } }: SentForm, { open, card }: OpenCard) {
  const { sign, clock, log } = all;
  const read = readLeadForm(form, open.settings, open.consents);
  const sent = text("formToken");
  const formToken = readFormToken(sign, sent, card.id);
  const again = (result: Partial<ConnectResult>, status: number) =>
    data<ConnectResult>({ typed: read.typed, errors: read.errors, formToken: sent, ...result }, { status });
  const renewed = () => readyFormToken(all, formToken?.source ?? "", card.id);
  if (!formToken || clock() - formToken.openedAt > maxFormAgeMs)
    return again({ notice: messages.tooOld, formToken: renewed() }, 400);
  const facts = { ageMs: clock() - formToken.openedAt, isHoneypotFilled: text(honeypotField) !== "" };
  const store = async () => {
    if (Object.keys(read.errors).length > 0) {
      const limited = await all.rateLimits.consume(submissionsOf(address));
      return limited ? again({ notice: messages.tooMany(formatWait(limited.until, clock())) }, 429) : again({}, 400);
    }
    const result = await createLead(all, {
      id: formToken.id,
      ownerId: card.ownerId,
      cardId: card.id,
      source: formToken.source,
      consentSource: "form",
      details: read.details,
      consents: read.consents,
      currentTexts: open.consents,
      givenAt: clock(),
      spamReasons: findSpamReasons(read.details, facts),
      address,
    });
    const problem = problemOf(result, { read, open }, clock());
    if (problem) return again(problem, result.kind === "rate-limited" ? 429 : 400);
    return redirect(`${card.path}/connect?sent=${makeSentToken(all, read.details.email !== "")}`, 303);
  };
  const refuse = (notice: string, status: number) => again({ notice }, status);
  return tryWrite(log, store, { event: "could not store a lead", ...leadFailures, refuse });
}

/** What to show with the form; undefined when the visitor is done: a lead that was erased before gets the same thanks. */
function problemOf(
  result: CreateLeadResult,
  { read, open }: { read: ReadLead; open: OpenForm },
  now: number,
): Partial<ConnectResult> | undefined {
  switch (result.kind) {
    // The form was switched off, or the card deleted, a moment ago.
    case "closed":
      throw data(null, { status: 404 });
    case "unknown-consent": {
      const isCurrent = (agreed: ReadLead["consents"][number]) =>
        open.consents.some(({ purpose, hash }) => purpose === agreed.purpose && hash === agreed.hash);
      const fields = read.consents.filter((agreed) => !isCurrent(agreed)).map(({ purpose }) => consentField(purpose));
      return {
        typed: { ...read.typed, ...Object.fromEntries(fields.map((field) => [field, ""])) },
        errors: { ...read.errors, ...Object.fromEntries(fields.map((field) => [field, messages.consentChanged])) },
      };
    }
    case "rate-limited":
      return { notice: messages.tooMany(formatWait(result.until, now)) };
    case "too-old":
      return { notice: messages.tooOld };
    default:
      return undefined;
  }
}
