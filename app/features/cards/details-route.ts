import { data } from "react-router";
import { z } from "zod";

import { findPlan } from "#app/features/billing/data.server.ts";
import { saveProfileDetails } from "#app/features/profile/data.server.ts";
import { bio, displayName } from "#app/features/profile/form.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { qrPath } from "#app/features/sharing/qr-code.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { requestFacts, services, member, viewer } from "#app/services/context.ts";
import { isDiskFull, transact } from "#app/services/database.server.ts";
import { readForm } from "#app/services/form-body.ts";

import type { Route } from "./+types/details-route.ts";
import { shownContact } from "./contact-shown.ts";
import { findOwnCard, listCards, saveCardFields } from "./data.server.ts";
import { findTooLong, readDetails } from "./details-form.ts";
import { readSent, refusedDetails } from "./details-text.ts";
import type { DetailsAnswer, DetailsErrors, DetailsText, DialogCard } from "./details-text.ts";
import { errorsOf } from "./form.ts";
import { messages } from "./messages.ts";
import { hiddenBecause, isBeyondPlan, oldestOf } from "./rules.ts";

/** An own card as the card dialog shows it; undefined for an unknown one and for somebody else's, alike. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const owner = member(context);
  const { db, clock, config } = services(context);
  const cards = await listCards(db, owner.id);
  const card = cards.find(({ id }) => id === params.id);
  if (!card) return data<DialogCard>({ problem: messages.modalNotFound }, { status: 404 });
  const profile = await loadOwnProfile(context);
  const plan = await findPlan(db, owner.id, clock());
  const isHiddenByPlan = isBeyondPlan(plan, { isOldest: card === oldestOf(cards) });
  const { id, profession, company, position, email, phone } = card;
  const cardUrl = `${config.baseUrl}/card/${id}`;
  return data<DialogCard>({
    id,
    text: { display_name: profile.displayName, bio: profile.bio, profession, company, position, email, phone },
    shown: shownContact(card, {
      displayName: profile.displayName,
      logoStem: card.logoStem,
      avatarStem: profile.avatarStem,
    }),
    cardUrl,
    hidden: hiddenBecause({ ...card, isBeyondPlan: isHiddenByPlan }),
    qr: qrPath(markedUrl(cardUrl, "qr")),
  });
}

/** Saves the fields that were sent, and no other: of the card and of its owner's profile, both or neither. */
export async function action({ params, context, request }: Route.ActionArgs) {
  const sent = readSent(await readForm(request));
  const owner = viewer(context);
  if (!owner) return answer(401, refusedDetails(sent, messages.detailsSignedOut));
  // No form of ours: it must not be told that it was saved.
  if (Object.keys(sent).length === 0) return answer(400, refusedDetails(sent, messages.detailsNotSaved));
  const read = readBoth(sent);
  if ("errors" in read) return answer(422, { sent, errors: read.errors });
  try {
    if (!(await save(context, { owner, id: params.id, read }))) {
      return answer(404, refusedDetails(sent, messages.modalNotFound.text));
    }
  } catch (error) {
    services(context).log.error({ err: error, id: context.get(requestFacts).id }, "card details not saved");
    if (isDiskFull(error)) return answer(503, refusedDetails(sent, messages.detailsDiskFull));
    return answer(500, refusedDetails(sent, messages.detailsNotSaved));
  }
  services(context).bus.publish({ kind: "owner-changed", ownerId: owner.id });
  return answer(200, { sent, toast: { ...messages.detailsSaved, tone: "success" } });
}

/** A dialog that can't be filled says so; it does not take the page with it. */
export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs): Promise<DialogCard> {
  try {
    return await serverLoader();
  } catch (problem) {
    return { problem: { title: messages.loadFailed, text: reasonOf(problem) } };
  }
}

/** Where the server can't be reached, or nobody is signed in there any more, what was typed stays. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const sent = readSent(await request.clone().formData());
  const answer = await serverAction().catch((problem) => refusedDetails(sent, reasonOf(problem)));
  // With the status of a refusal nothing is asked for anew: the page stays as it is.
  return data<DetailsAnswer>(answer, { status: answer.toast?.tone === "success" ? 200 : 422 });
}

/** Why there was no answer of ours. A redirect leads to the login page. */
function reasonOf(problem: unknown): string {
  return problem instanceof Response ? messages.detailsSignedOut : messages.detailsOffline;
}

type Read = Exclude<ReturnType<typeof readBoth>, { errors: DetailsErrors }>;

const profileDetails = z.object({ display_name: displayName, bio }).partial();

function readBoth(sent: Partial<DetailsText>) {
  const tooLong = findTooLong(sent);
  if (tooLong) return { errors: tooLong };
  const card = readDetails(sent);
  const profile = profileDetails.safeParse(sent);
  if ("fields" in card && profile.success) return { card: card.fields, profile: profile.data };
  return { errors: { ...("errors" in card && card.errors), ...(profile.error && errorsOf(profile.error)) } };
}

/** False when there is no such own card. */
async function save(
  context: Route.ActionArgs["context"],
  { owner, id, read }: { owner: { id: string; email: string }; id: string; read: Read },
): Promise<boolean> {
  const { db, clock } = services(context);
  const now = clock();
  const own = { ownerId: owner.id, id };
  const { display_name: displayName, bio } = read.profile;
  return transact(db, async (trx) => {
    const isThere =
      Object.keys(read.card).length > 0
        ? await saveCardFields(trx, { ...own, fields: read.card, now })
        : (await findOwnCard(trx, own)) !== undefined;
    if (!isThere) return false;
    if (displayName !== undefined || bio !== undefined) {
      await saveProfileDetails(trx, { ownerId: owner.id, displayName, bio, now });
    }
    return true;
  });
}

function answer(status: number, body: DetailsAnswer) {
  return data(body, { status });
}
