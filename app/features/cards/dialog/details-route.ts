import { data } from "react-router";
import { z } from "zod";

import { findPlan } from "#app/features/billing/data.server.ts";
import { cardPath } from "#app/features/cards/address-rules.ts";
import { maxTypedLength } from "#app/features/cards/card-fields.ts";
import { toCardViewModel } from "#app/features/cards/card-view-model.ts";
import { cardStyle } from "#app/features/cards/card-style.ts";
import { findOwnCard, listCards, saveCardFields } from "#app/features/cards/data.server.ts";
import { messages } from "#app/features/cards/messages.ts";
import { hiddenReason, idsBeyondPlan } from "#app/features/cards/rules.ts";
import type { CardDetails } from "#app/features/cards/schema.ts";
import { cardDetailsSchema } from "#app/features/cards/schema.ts";
import { findProfile, saveProfileDetails } from "#app/features/profile/data.server.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { messages as profileMessages } from "#app/features/profile/messages.ts";
import { isNameCleared } from "#app/features/profile/rules.ts";
import { bio, displayName } from "#app/features/profile/schema.ts";
import { qrPath } from "#app/features/drawing/qr-code.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { transact } from "#app/services/database/database.server.ts";
import { requireUser, services, viewer } from "#app/services/http/context.ts";
import { readForm } from "#app/services/http/form-body.ts";
import { tryWrite } from "#app/services/http/save-response.server.ts";
import { callServerAction } from "#app/ui/forms/submit-in-place.ts";
import type { ActionFailure } from "#app/ui/forms/submit-in-place.ts";
import { firstErrors } from "#app/ui/forms/versioned-values.ts";

import type { Route } from "./+types/details-route.ts";
import { detailFields, dialogMessages, failedDetails, readDetailsForm, refusedDetails } from "./details-form.ts";
import type { DetailsErrors, DetailsFormValues, DetailsSaveResult, DialogCardResult } from "./details-form.ts";

/** Loads a card for the card dialog. Responds alike for an unknown card and for another owner's. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const owner = requireUser(context);
  const { db, config } = services(context);
  const cards = await listCards(db, owner.id);
  const card = cards.find(({ id }) => id === params.id);
  if (!card) return data<DialogCardResult>({ problem: messages.modalNotFound }, { status: 404 });
  const profile = await loadOwnProfile(context);
  const plan = await findPlan(services(context), owner.id);
  const isHiddenByPlan = idsBeyondPlan(plan, cards).has(card.id);
  const { id, profession, company, position, email, phone } = card;
  const path = cardPath(card);
  const cardUrl = config.baseUrl + path;
  return data<DialogCardResult>({
    id,
    path,
    values: { display_name: profile.displayName, bio: profile.bio, profession, company, position, email, phone },
    view: toCardViewModel(card, {
      displayName: profile.displayName,
      logoKey: card.logoKey,
      avatarKey: profile.avatarKey,
      style: cardStyle(card.design, { theme: profile.theme, plan }),
    }),
    cardUrl,
    hidden: hiddenReason({ ...card, isBeyondPlan: isHiddenByPlan }, plan),
    qr: qrPath(markedUrl(cardUrl, "qr")),
  });
}

/** Saves the fields that were sent, of the card and of its owner's profile, in one transaction. Other fields stay as they are. */
export async function action({ params, context, request }: Route.ActionArgs) {
  const sent = readDetailsForm(await readForm(request));
  const owner = viewer(context);
  if (!owner) return respond(401, failedDetails(sent, dialogMessages.detailsSignedOut));
  // Our form always sends a field. Anything else must not be reported as saved.
  if (Object.keys(sent).length === 0) return respond(400, failedDetails(sent, dialogMessages.detailsNotSaved));
  const details = parseDetails(sent);
  if (details.errors) return respond(422, refusedDetails(sent, details.errors));
  const save = async () => {
    const stored = await findProfile(services(context).db, owner.id);
    if (isNameCleared(details.profile.display_name, stored?.displayName ?? ""))
      return respond(422, refusedDetails(sent, { display_name: profileMessages.nameRequired }));
    if (!(await saveDetails(context, { owner, id: params.id, details })))
      return respond(404, failedDetails(sent, messages.modalNotFound.text));
    return respond(200, { sent, toast: { ...dialogMessages.detailsSaved, tone: "success" } });
  };
  return tryWrite(services(context).log, save, {
    event: "card details not saved",
    diskFull: dialogMessages.detailsDiskFull,
    outcomeUnknown: dialogMessages.detailsOutcomeUnknown,
    unexpected: dialogMessages.detailsNotSaved,
    refuse: (message: string, status) => respond(status, failedDetails(sent, message)),
  });
}

/** The dialog shows why its data can't be loaded; the page behind it stays. */
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs): Promise<DialogCardResult> {
  const response = await callServerAction(serverLoader);
  if (!("failure" in response)) return response.result;
  return { problem: { title: messages.loadFailed, text: failureText(response.failure) } };
}

/** Keeps what was typed when the server can't be reached or the owner is signed out. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const sent = readDetailsForm(await request.clone().formData());
  const response = await callServerAction(serverAction);
  const result = "failure" in response ? failedDetails(sent, failureText(response.failure)) : response.result;
  // An error status keeps the router from reloading the page's data.
  return data<DetailsSaveResult>(result, { status: result.toast?.tone === "success" ? 200 : 422 });
}

function failureText(failure: ActionFailure): string {
  return failure === "signed-out" ? dialogMessages.detailsSignedOut : dialogMessages.detailsOffline;
}

type ValidDetails = Exclude<ReturnType<typeof parseDetails>, { errors: DetailsErrors }>;

const profileDetails = z.object({ display_name: displayName, bio }).partial();

function parseDetails(sent: Partial<DetailsFormValues>) {
  const tooLong = findTooLongDetails(sent);
  if (tooLong) return { errors: tooLong };
  const card = parseCardDetails(sent);
  const profile = profileDetails.safeParse(sent);
  if ("fields" in card && profile.success) return { card: card.fields, profile: profile.data };
  return { errors: { ...("errors" in card && card.errors), ...(profile.error && firstErrors(profile.error)) } };
}

/** False when the owner has no such card. */
async function saveDetails(
  context: Route.ActionArgs["context"],
  { owner, id, details }: { owner: { id: string; email: string }; id: string; details: ValidDetails },
): Promise<boolean> {
  const { db, events, clock } = services(context);
  const now = clock();
  const ownCard = { ownerId: owner.id, id };
  const { display_name: displayName, bio } = details.profile;
  return transact(db, async (trx) => {
    const exists =
      Object.keys(details.card).length > 0
        ? await saveCardFields(trx, events, { ...ownCard, fields: details.card, now })
        : (await findOwnCard(trx, ownCard)) !== undefined;
    if (!exists) return false;
    if (displayName !== undefined || bio !== undefined) {
      await saveProfileDetails(trx, events, { ownerId: owner.id, displayName, bio, now });
    }
    return true;
  });
}

function respond(status: number, body: DetailsSaveResult) {
  return data(body, { status });
}

/** The validated fields of the card. Fields that were not sent are absent. */
function parseCardDetails(
  sent: Partial<DetailsFormValues>,
): { fields: Partial<CardDetails> } | { errors: DetailsErrors } {
  const parsed = cardDetailsSchema.partial().safeParse(sent);
  return parsed.success ? { fields: parsed.data } : { errors: firstErrors(parsed.error) };
}

/** Text that is too long to be cleaned. */
function findTooLongDetails(sent: Partial<DetailsFormValues>): DetailsErrors | undefined {
  const tooLong = detailFields.filter((field) => (sent[field]?.length ?? 0) > maxTypedLength);
  return tooLong.length > 0
    ? Object.fromEntries(tooLong.map((field) => [field, messages.tooLong(maxTypedLength)]))
    : undefined;
}
