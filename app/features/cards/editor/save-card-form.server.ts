import { data, redirect } from "react-router";
import type { RouterContextProvider } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { plans } from "#app/features/billing/rules.ts";
import { includesAccent } from "#app/features/cards/card-design.ts";
import {
  isSameCard,
  readFormValues,
  toFormErrors,
  toFormValues,
  toUncheckedCard,
} from "#app/features/cards/card-form.ts";
import type { CardFormValues } from "#app/features/cards/card-form.ts";
import { createCard, deriveCardId, findOwnCard, saveCard } from "#app/features/cards/data.server.ts";
import { messages } from "#app/features/cards/messages.ts";
import { parseCard, readFormId } from "#app/features/cards/schema.ts";
import type { CardInput } from "#app/features/cards/schema.ts";
import { services, viewer } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { respondToSave } from "#app/services/http/save-response.server.ts";
import type { SaveFailure, SaveOutcome } from "#app/services/http/save-response.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { readVersion } from "#app/ui/forms/versioned-values.ts";
import type { Versioned } from "#app/ui/forms/versioned-values.ts";

import { errorNotice } from "./form-state.ts";
import type { CardRejection } from "./form-state.ts";

type Context = Readonly<RouterContextProvider>;

type CardSaveRequest = {
  /** Undefined for a new card. */
  id: string | undefined;
  request: Request;
  /** Creates the owner's profile, which a new card needs, when they have none. Throws a redirect when the account was deleted. */
  ensureProfile: () => Promise<unknown>;
};

/** A form that passed the checks. */
type SubmittedCard = { ownerId: string; sent: Versioned<CardFormValues>; change: CardInput };

/** Saves the card that the form describes, or creates it when there is no `id`. */
export async function saveCardForm(context: Context, { id, request, ensureProfile }: CardSaveRequest) {
  const form = await readForm(request);
  const sent = { values: readFormValues(form), version: readVersion(form) };
  const owner = viewer(context);
  if (!owner) return data(reject(sent, messages.saveFailed(messages.signedOut)), { status: 401 });
  const parsed = parseCard(toUncheckedCard(sent.values));
  if ("errors" in parsed) return data<CardRejection>({ sent, errors: toFormErrors(parsed.errors) }, { status: 422 });
  const card = { ownerId: owner.id, sent, change: parsed.change };
  const cardId = id ?? deriveCardId(owner.id, readFormId(form));
  if (!(await canSaveAccent(context, { ...card, id: cardId })))
    return data<CardRejection>({ sent, errors: { accent: messages.accentIsPremium } }, { status: 422 });
  return respondToSave<CardRejection>(context, {
    record: "card",
    save: async () => {
      if (id !== undefined) return updateCard(context, { ...card, id });
      await ensureProfile();
      return createFromForm(context, card, cardId);
    },
    reject: (failure) => reject(sent, failureMessages[failure]),
  });
}

const failureMessages: Record<SaveFailure, string> = {
  "disk-full": messages.saveFailed(messages.diskFull),
  "outcome-unknown": messages.saveOutcomeUnknown,
  unexpected: messages.saveFailedUnexpected,
};

/** For an owner whose plan has no room for another card. */
export function redirectToPricing() {
  return redirectWithToast("/pricing", { ...messages.cardLimitReached, tone: "info" }, reloadDocument());
}

/** The plan decides which accents can be chosen; the stored one always can. */
async function canSaveAccent(context: Context, { ownerId, change, id }: SubmittedCard & { id: string }) {
  const { accent } = change.design;
  if (includesAccent(plans.free, accent)) return true;
  const { db, clock } = services(context);
  if (includesAccent(await findPlan(db, ownerId, clock()), accent)) return true;
  return (await findOwnCard(db, { ownerId, id }))?.design.accent === accent;
}

async function createFromForm(context: Context, card: SubmittedCard, id: string): Promise<SaveOutcome<CardRejection>> {
  const { db, events, clock } = services(context);
  const { ownerId, change } = card;
  const now = clock();
  const plan = await findPlan(db, ownerId, now);
  const result = await createCard({ db, events }, { ownerId, plan, id, change, now });
  if (result.kind === "gone") throw redirect("/auth");
  if (result.kind === "limit") throw redirectToPricing();
  if (result.kind === "created") return saved(result.id, messages.created);
  if (isSameCard(result.current, change)) return saved(result.current.id, messages.created);
  // The owner went back to the form that created a card: it now changes that card.
  return updateCard(context, { ...card, id: result.current.id });
}

/** Responds alike for an unknown card and for another owner's. */
async function updateCard(
  context: Context,
  { ownerId, sent, change, id }: SubmittedCard & { id: string },
): Promise<SaveOutcome<CardRejection>> {
  const { db, events, clock } = services(context);
  const result = await saveCard({ db, events }, { ownerId, id, version: sent.version, change, now: clock() });
  if (result.kind === "missing") {
    return { status: 404, rejection: reject(sent, messages.saveFailed(messages.gone)) };
  }
  if (result.kind === "conflict" && !isSameCard(result.current, change)) {
    const conflict = { values: toFormValues(result.current), version: result.current.version };
    return { status: 409, rejection: { sent, conflict } };
  }
  return saved(id, messages.updated);
}

function saved(id: string, toast: { title: string; text: string }) {
  return { response: redirectWithToast(`/cards/edit/${id}`, { ...toast, tone: "success" }) };
}

function reject(sent: Versioned<CardFormValues>, text: string): CardRejection {
  return { sent, notice: errorNotice(text) };
}

/** Pages without script are separate documents: the router can't render them into this one. */
function reloadDocument() {
  return new Headers({ "X-Remix-Reload-Document": "true" });
}
