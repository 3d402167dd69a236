import { useRouteLoaderData } from "react-router";

import { listConnectionItems } from "#app/features/account/settings/social/connection-data.server.ts";
import { findOffer } from "#app/features/account/settings/social/offer-data.server.ts";
import { OfferNotice } from "#app/features/account/settings/social/offer-notice.tsx";
import { ConnectionList } from "#app/features/account/settings/social/connection-list.tsx";
import { findPlan } from "#app/features/billing/data.server.ts";
import { listCards } from "#app/features/cards/data.server.ts";
import { CardList } from "#app/features/cards/list/card-list.tsx";
import { cardPath } from "#app/features/cards/address-rules.ts";
import { ContactButtons } from "#app/features/cards/public/save-contact-button.tsx";
import { readRecentMetrics } from "#app/features/analytics/recent-data.server.ts";
import { fullListNote } from "#app/features/cards/limit-messages.ts";
import { toCardList } from "#app/features/cards/list/card-rows.server.ts";
import { readDraft, toDraft } from "./form-data.ts";
import { messages, saveMessages } from "#app/features/profile/messages.ts";
import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { findVisibleProfile } from "#app/features/profile/public-profile.server.ts";
import { qrPath } from "#app/features/drawing/qr-code.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { listAssets, usageOf } from "#app/features/uploads/storage/asset-rows.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";
import { ButtonLink } from "#app/ui/components/button.tsx";
import { Notice } from "#app/ui/components/notice.tsx";
import { readNext } from "#app/ui/forms/leave-guard.tsx";
import { rejectInPlace } from "#app/ui/forms/submit-in-place.ts";
import { readVersionedForm } from "#app/ui/forms/versioned-values.ts";

import type { Route } from "./+types/editor-page.ts";
import { failureNotice } from "./form-state.ts";
import type { ProfileRejection } from "./form-state.ts";
import { ProfileEditor } from "./profile-editor.tsx";
import { saveProfileForm } from "./save.server.ts";

export async function loader({ context, request }: Route.LoaderArgs) {
  const { db, clock, config } = services(context);
  const owner = requireUser(context);
  const now = clock();
  const [profile, plan, cards, resumes, connections, metrics, visible] = await Promise.all([
    loadOwnProfile(context),
    findPlan(services(context), owner.id),
    listCards(db, owner.id),
    listAssets(db, { ownerId: owner.id, slot: "resume" }),
    listConnectionItems(services(context), owner.id),
    readRecentMetrics(db, { ownerId: owner.id, now }),
    findVisibleProfile(services(context), owner.id),
  ]);
  const recent = plan.hasAnalytics ? metrics : undefined;
  const { avatarKey, bannerKey, resumeFilename } = profile;
  const list = toCardList(plan, cards, profile);
  const resume = resumes.find(({ isReady }) => isReady);
  const profileUrl = `${config.baseUrl}/u/${profile.handle || owner.id}`;
  return {
    stored: { values: toDraft(profile), version: profile.version },
    page: {
      id: owner.id,
      profileUrl,
      hasBranding: plan.hasBranding,
      themes: plan.themes,
      canMoveLinks: plan.canMoveLinks,
    },
    maxLinks: plan.maxLinks,
    now,
    files: { avatarKey, bannerKey, resumeFilename, resumeBytes: resume ? usageOf(resume.files).bytes : null },
    qr: qrPath(markedUrl(profileUrl, "qr")),
    origin: config.baseUrl,
    offer: findOffer(services(context), { cookieHeader: request.headers.get("cookie"), userId: owner.id }),
    accounts: connections.filter(({ canSignIn }) => !canSignIn),
    cards: {
      ...list,
      fullNote: fullListNote(plan, list.cards, config.premium),
      metrics: recent?.cards,
      formId: crypto.randomUUID(),
    },
    clicks: recent?.links,
    contactCard: visible && "profile" in visible ? visible.contactCard : undefined,
  };
}

export function action({ context, request }: Route.ActionArgs) {
  return saveProfileForm(context, request);
}

/** Keeps what was typed when the server can't be reached or the owner is signed out. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return rejectInPlace<ProfileRejection>({ request, serverAction, readNext }, (form, failure) =>
    readVersionedForm(form, readDraft(form)).reject({ notice: failureNotice(failureTexts[failure]), failure }),
  );
}

const failureTexts = {
  offline: messages.offline,
  "signed-out": messages.signedOut,
  "too-large": messages.tooLarge,
  failed: saveMessages.serverError,
};

export const meta: Route.MetaFunction = () => [{ title: "Your profile | Meishi" }];

export default function ProfileEditorPage({ loaderData, actionData }: Route.ComponentProps) {
  const { cards, accounts, offer, contactCard, ...loaded } = loaderData;
  const path = contactCard && cardPath(contactCard);
  return (
    <>
      {offer && <OfferNotice offer={offer} />}
      {cards.cards.length === 0 && <FinishCardLink />}
      <ProfileEditor
        {...loaded}
        rejection={actionData}
        cards={<CardList {...cards} back="/profile" />}
        accounts={accounts.length > 0 && <ConnectionList connections={accounts} returnTo="/profile" />}
        contact={path && <ContactButtons path={path} formPath={contactCard.hasForm ? `${path}/connect` : undefined} />}
      />
    </>
  );
}

/** For an owner who left the first steps. */
function FinishCardLink() {
  return (
    <p className="mx-auto w-full max-w-[1200px] px-5 pt-4">
      <a href="/start" className="inline-flex min-h-11 items-center underline underline-offset-4">
        Finish your card in three steps
      </a>
    </p>
  );
}

/** Replaces the editor when the profile can't be loaded. */
export function ErrorBoundary() {
  const root = useRouteLoaderData<{ requestId?: string }>("root");
  const tryAgain = (
    <ButtonLink size="s" href="/profile">
      Try again
    </ButtonLink>
  );
  return (
    <div className="mx-auto grid w-full max-w-140 gap-5 px-5 py-12">
      <title>{`${messages.loadFailed} | Meishi`}</title>
      <h1 className="heading text-xl">Your profile</h1>
      <Notice tone="error" title={messages.loadFailed} action={tryAgain}>
        {messages.loadFailedText} {root?.requestId && `Request ID: ${root.requestId}`}
      </Notice>
    </div>
  );
}
