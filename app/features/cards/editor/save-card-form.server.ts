import { data, redirect } from "react-router";
import type { RouterContextProvider } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { plans } from "#app/features/billing/rules.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import { includesAccent } from "#app/features/cards/card-design.ts";
import { isSameCard, readFormValues, toFormErrors, toUncheckedCard } from "#app/features/cards/card-form.ts";
import type { CardFormValues } from "#app/features/cards/card-form.ts";
import { deriveCardId } from "#app/features/cards/code-data.server.ts";
import { findOwnCard, insertCard, listCards, writeCard } from "#app/features/cards/data.server.ts";
import { cardLimitMessage } from "#app/features/cards/limit-messages.ts";
import { messages, serverMessages } from "#app/features/cards/messages.ts";
import { parseCard, readFormId } from "#app/features/cards/schema.ts";
import type { CardInput } from "#app/features/cards/schema.ts";
import { messages as linkMessages } from "#app/features/links/messages.ts";
import { linkLimit } from "#app/features/links/rules.ts";
import { formatWait } from "#app/services/base/format.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";
import { lockOwner } from "#app/services/database/owner-lock.server.ts";
import { services, viewer } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { respondToSave } from "#app/services/http/save-response.server.ts";
import type { SaveFailure, SaveOutcome } from "#app/services/http/save-response.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";
import { readMergeRequest, readVersionedForm } from "#app/ui/forms/versioned-values.ts";
import type { FieldErrors, SaveConflict, VersionedForm } from "#app/ui/forms/versioned-values.ts";

import { mergeCard, mergeDisplayName } from "./card-merge.server.ts";
import type { CardChange } from "./card-merge.server.ts";
import { errorNotice } from "./form-state.ts";
import type { CardRejection } from "./form-state.ts";
import { applySharedChange } from "#app/features/cards/shared-value-rules.ts";

type Context = Readonly<RouterContextProvider>;

type CardSaveRequest = {
  /** Undefined for a new card. */
  id: string | undefined;
  /** Of the page, which is shown again: "?tab=design". */
  query: string;
  request: Request;
  profile: OwnerProfile;
};

/** The profile of the card's owner, whose name the card's form also edits. */
export type OwnerProfile = {
  /** Creates it, which a new card needs, when there is none. Throws a redirect when the account was deleted. */
  ensure: () => Promise<unknown>;
  /** The cleaned name, or why it can't be saved. */
  checkName: (typed: string) => Promise<{ name: string } | { error: string }>;
  readName: (trx: Trx) => Promise<string>;
  writeName: (trx: Trx, name: string) => Promise<void>;
};

/** A form that passed the checks. `notSaved`: what the plan doesn't include. */
type SubmittedCard = CardChange &
  VersionedForm<CardFormValues> &
  Pick<CardSaveRequest, "query" | "profile"> & { ownerId: string; notSaved: string | undefined };

/** Saves the card that the form describes, or creates it when there is no `id`. The name in it is saved in the same transaction. */
export async function saveCardForm(context: Context, { id, query, request, profile }: CardSaveRequest) {
  const form = await readForm(request);
  const submitted = { ...readVersionedForm(form, readFormValues(form)), request: readMergeRequest(form) };
  const { sent, reject } = submitted;
  const owner = viewer(context);
  if (!owner) return data(reject(noticeOf(messages.saveFailed(messages.signedOut))), { status: 401 });
  const cardId = id ?? deriveCardId(owner.id, readFormId(form));
  return respondToSave<CardRejection>(context, {
    record: "card",
    save: async () => {
      const refuse = (errors: FieldErrors) => ({ status: 422, rejection: reject({ errors }) });
      const checked = await checkForm(sent.values, { hasName: form.has("display_name"), profile });
      if ("errors" in checked) return refuse(checked.errors);
      const maxLinks = await findLinkLimit(context, { ownerId: owner.id, id: cardId });
      if (checked.change.links.length > maxLinks) return refuse({ links: linkMessages.tooMany(maxLinks) });
      const accent = await accentOfPlan(context, {
        ownerId: owner.id,
        id: cardId,
        accent: checked.change.design.accent,
      });
      const change = { ...checked.change, design: { ...checked.change.design, accent } };
      const notSaved = accent === checked.change.design.accent ? undefined : serverMessages.accentNotSaved;
      const { version } = sent;
      const card = { ...submitted, ...checked, version, maxLinks, change, notSaved, ownerId: owner.id, profile, query };
      if (id !== undefined) return updateCard(context, { ...card, id });
      await profile.ensure();
      return createFromForm(context, card, cardId);
    },
    reject: (failure) => reject(noticeOf(failureMessages[failure])),
  });
}

type CheckOptions = { hasName: boolean; profile: OwnerProfile };

async function checkForm(
  values: CardFormValues,
  { hasName, profile }: CheckOptions,
): Promise<{ change: CardInput; displayName: string | undefined } | { errors: FieldErrors }> {
  const parsed = parseCard(toUncheckedCard(values));
  const name = hasName ? await profile.checkName(values.display_name) : { name: undefined };
  const errors = {
    ...("errors" in parsed && toFormErrors(parsed.errors)),
    ...("error" in name && { display_name: name.error }),
  };
  if ("errors" in parsed || "error" in name) return { errors };
  return { change: parsed.change, displayName: name.name };
}

const failureMessages: Record<SaveFailure, string> = {
  "disk-full": messages.saveFailed(serverMessages.diskFull),
  "outcome-unknown": serverMessages.saveOutcomeUnknown,
  unexpected: serverMessages.saveFailedUnexpected,
};

/** For an owner whose plan has no room for another card: to the plans, or to their cards while none can be bought. */
export function redirectAtCardLimit(context: Context, plan: Plan) {
  const isSold = services(context).config.premium === "sold";
  const toast = { ...cardLimitMessage(plan, isSold), tone: "info" } as const;
  return redirectWithToast(isSold ? "/pricing" : "/profile", toast, reloadDocument());
}

/** How many links a card may have: what the plan includes, or what is stored. */
async function findLinkLimit(context: Context, card: { ownerId: string; id: string }) {
  const all = services(context);
  const [plan, stored] = await Promise.all([findPlan(all, card.ownerId), findOwnCard(all.db, card)]);
  return linkLimit(plan, stored?.links.length ?? 0);
}

/** The chosen accent if the plan includes it, or else the stored one. */
async function accentOfPlan(context: Context, { accent, ...card }: { ownerId: string; id: string; accent: string }) {
  if (includesAccent(plans.free, accent)) return accent;
  const all = services(context);
  if (includesAccent(await findPlan(all, card.ownerId), accent)) return accent;
  return (await findOwnCard(all.db, card))?.design.accent ?? "";
}

async function createFromForm(context: Context, card: SubmittedCard, id: string): Promise<SaveOutcome<CardRejection>> {
  const all = services(context);
  const { ownerId, change, profile } = card;
  const plan = await findPlan(all, ownerId);
  const result = await transact(all.db, async (trx) => {
    await lockOwner(trx, ownerId);
    const stored = await profile.readName(trx);
    const merged = mergeDisplayName(card, stored);
    // A form that was sent before merges its name with the card.
    if ("conflicts" in merged && !(await findOwnCard(trx, { ownerId, id })))
      return { kind: "conflict", fields: merged.conflicts } as const;
    const inserted = await insertCard(trx, all, { ownerId, plan, id, change, now: all.clock() });
    if (inserted.kind === "created" && "displayName" in merged && merged.displayName !== stored)
      await profile.writeName(trx, merged.displayName);
    return inserted;
  });
  switch (result.kind) {
    case "gone":
      throw redirect("/auth");
    case "limit":
      throw redirectAtCardLimit(context, plan);
    case "rate-limited":
      return rejectNewCard(context, card, result);
    case "created":
      return created(result.id, card);
    case "conflict":
      return rejectConflict(card, { version: 0, fields: result.fields });
    case "exists":
      if (isSameCard(result.current, change)) return created(result.current.id, card);
      // The owner went back to the form that created a card: it now changes that card.
      return updateCard(context, { ...card, id: result.current.id });
  }
}

/** Responds alike for an unknown card and for another owner's. */
async function updateCard(context: Context, card: SubmittedCard & { id: string }): Promise<SaveOutcome<CardRejection>> {
  const { db, events, clock } = services(context);
  const { ownerId, id, profile } = card;
  return transact(db, async (trx) => {
    await lockOwner(trx, ownerId);
    const current = await findOwnCard(trx, { ownerId, id });
    if (!current) return { status: 404, rejection: card.reject(noticeOf(messages.saveFailed(messages.gone))) };
    const displayName = await profile.readName(trx);
    const merged = mergeCard(card, { card: current, displayName });
    if ("conflicts" in merged) return rejectConflict(card, { version: current.version, fields: merged.conflicts });
    if (merged.displayName !== displayName) await profile.writeName(trx, merged.displayName);
    const now = clock();
    await writeCard(trx, events, { ownerId, id, change: merged.change, now });
    const change = { before: current, after: merged.change };
    const others = card.sent.values.all_cards ? await listCards(trx, ownerId) : [];
    const changed = others.flatMap((other) => (other.id === id ? [] : (applySharedChange(other, change) ?? [])));
    for (const other of changed) await writeCard(trx, events, { ownerId, id: other.id, change: other, now });
    const also = changed.length > 0 && serverMessages.alsoUpdated(changed.length);
    return {
      response: redirectWithToast(
        `/cards/edit/${id}${card.query}`,
        savedToast(serverMessages.updated, also, card.notSaved),
      ),
    };
  });
}

function rejectNewCard(context: Context, card: SubmittedCard, { until }: { until: number; limit: string }) {
  const { clock } = services(context);
  const text = messages.saveFailed(serverMessages.tooManyNew(formatWait(until, clock())));
  return { status: 429, rejection: card.reject(noticeOf(text)) };
}

/** A new card is there to be shared. */
function created(id: string, { notSaved }: SubmittedCard) {
  return { response: redirectWithToast(`/cards/edit/${id}?tab=share`, savedToast(serverMessages.created, notSaved)) };
}

function savedToast({ title, text }: { title: string; text: string }, ...more: (string | false | undefined)[]) {
  return { title, text: [text, ...more].filter(Boolean).join(" "), tone: "success" } as const;
}

function rejectConflict(card: SubmittedCard, conflict: SaveConflict) {
  return { status: 409, rejection: card.reject({ conflict }) };
}

function noticeOf(text: string) {
  return { notice: errorNotice(text) };
}

/** Pages without script are separate documents: the router can't render them into this one. */
function reloadDocument() {
  return new Headers({ "X-Remix-Reload-Document": "true" });
}
