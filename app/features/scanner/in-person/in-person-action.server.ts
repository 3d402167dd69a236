import { data } from "react-router";

import { createLead } from "#app/features/leads/create-data.server.ts";
import type { CreateLeadResult } from "#app/features/leads/create-data.server.ts";
import { tagLeads } from "#app/features/leads/inbox/lead-data.server.ts";
import { readTags, tagProblem } from "#app/features/leads/inbox-rules.ts";
import { readOwnDetail } from "#app/features/leads/details-schema.ts";
import type { NewDetails } from "#app/features/leads/lead-row.server.ts";
import type { SourceOfLead } from "#app/features/leads/schema.ts";
import { inPersonFailures, inPersonMessages as messages } from "#app/features/scanner/messages.ts";
import type { FormFields } from "#app/services/base/form-fields.ts";
import { formatWait } from "#app/services/base/format.ts";
import { readSentForm } from "#app/services/forms/form-action.server.ts";
import type { ActionArgs } from "#app/services/forms/form-action.server.ts";
import { tryWrite } from "#app/services/http/save-response.server.ts";
import { redirectWithToast } from "#app/services/http/toast.server.ts";

import { personFields, readTypedContact } from "./in-person-fields.ts";
import type { ContactErrors, ContactRejection, TypedContact } from "./in-person-fields.ts";
import { loadContactForm, readContactToken } from "./in-person-form.server.ts";

type SaveOptions = {
  displayName: string;
  source: Extract<SourceOfLead, "hand" | "scan">;
  /** The page of the form, which "Save and add another" opens again. */
  path: string;
};

/** Stores what the owner typed and opens the lead or the next form, or returns the form with everything in it. */
export async function saveContact(args: ActionArgs, { displayName, source, path }: SaveOptions) {
  const { all, ownerId, context, form, text } = await readSentForm(args);
  const fresh = await loadContactForm(context, { displayName, query: new URLSearchParams() });
  const { typed, errors, details, tags } = readContactForm(form, fresh.cards);
  const formToken = text("formToken");
  const id = readContactToken(all, ownerId, formToken);
  const reject = (rejection: Partial<ContactRejection>, status = 400) =>
    data<ContactRejection>(
      { typed, errors, formToken: id ? formToken : fresh.formToken, consent: fresh.consent, ...rejection },
      { status },
    );
  if (Object.keys(errors).length > 0) return reject({});
  if (!id) return reject({ notice: messages.tooOld });
  const store = async () => {
    const result = await createLead(all, {
      id,
      ownerId,
      cardId: typed.card,
      source,
      consentSource: "in person",
      details,
      consents: [{ purpose: "in-person", hash: typed.agreed }],
      currentTexts: [{ purpose: "in-person", text: fresh.consent.text }],
      givenAt: all.clock(),
    });
    const problem = problemOf(result, all.clock());
    if (problem) return reject({ typed: { ...typed, ...problem.change }, ...problem });
    if (result.kind === "erased")
      return redirectWithToast("/leads", { title: "Not saved", text: messages.erased, tone: "warning" });
    // Also after a repeated submission: the first one may have been cut off before this.
    await tagLeads(all.db, { ownerId, ids: [id], tags });
    return redirectWithToast(nextPath(text("intent"), { id, path, typed }), {
      title: "Lead saved",
      ...(details.email && { text: "They get your card by email, with a link to withdraw or erase their details." }),
      tone: "success",
    });
  };
  const failure = { event: "could not store a lead given in person", ...inPersonFailures };
  return tryWrite(all.log, store, { ...failure, refuse: (notice, status) => reject({ notice }, status) });
}

/** "Save and add another" keeps what is the same for the next person at an event, also that the owner asked them. */
function nextPath(intent: string, { id, path, typed }: { id: string; path: string; typed: TypedContact }): string {
  if (intent !== "next") return `/leads/${id}`;
  const query = new URLSearchParams({
    card: typed.card,
    agreed: typed.agreed,
    ...(typed.tags && { tags: typed.tags }),
  });
  return `${path}?${query.toString()}`;
}

/** What to show with the form; undefined when it is done. */
function problemOf(
  result: CreateLeadResult,
  now: number,
): { errors?: ContactErrors; notice?: string; change?: Partial<TypedContact> } | undefined {
  switch (result.kind) {
    // The card was deleted a moment ago.
    case "closed":
      return { errors: { card: messages.cardRequired } };
    case "unknown-consent":
      return { errors: { agreed: messages.textChanged }, change: { agreed: "" } };
    case "rate-limited":
      return { notice: messages.tooMany(formatWait(result.until, now)) };
    default:
      return undefined;
  }
}

type ReadContact = {
  typed: TypedContact;
  errors: ContactErrors;
  details: NewDetails;
  tags: string[];
};

/** Reads and checks the form. `cards` are the owner's. */
function readContactForm(form: FormFields, cards: readonly { id: string }[]): ReadContact {
  const typed = readTypedContact(form);
  const errors: ContactErrors = {};
  const details: NewDetails = { ...emptyDetails };
  for (const field of personFields) {
    const { value, error } = readOwnDetail(field, typed[field]);
    details[field] = value;
    if (error) errors[field] = error;
  }
  const tags = readTags(typed.tags);
  const wrongTags = tagProblem(tags);
  if (wrongTags) errors.tags = wrongTags;
  if (!details.name && !details.company) errors.name = messages.nameRequired;
  if (!details.email && !details.phone) errors.email ??= messages.noContact;
  if (!cards.some(({ id }) => id === typed.card)) errors.card = messages.cardRequired;
  if (!typed.agreed) errors.agreed = messages.agreedRequired;
  return { typed, errors, details, tags };
}

const emptyDetails = { name: "", email: "", phone: "", company: "", note: "", answers: [] };
