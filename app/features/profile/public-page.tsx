import { useState } from "react";
import { data, isRouteErrorResponse } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { CardDialog } from "#app/features/cards/card-dialog.tsx";
import { listCards } from "#app/features/cards/data.server.ts";
import { OwnCards } from "#app/features/cards/own-cards.tsx";
import { listedCards } from "#app/features/cards/rules.ts";
import { qrPath } from "#app/features/sharing/qr-code.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { markPublic, services, viewer } from "#app/services/context.ts";
import type { Services } from "#app/services/context.ts";
import { MessageView } from "#app/ui/message-view.tsx";

import type { Route } from "./+types/public-page.ts";
import { answerWords } from "./answer-words.ts";
import { profileHead } from "./profile-head.ts";
import { ProfileView } from "./profile-view.tsx";
import { loadPublicProfile } from "./public-profile.server.ts";
import { countCharacters, maxBio } from "./rules.ts";

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { profile, shown, picture, endsAt } = await loadPublicProfile(context, { id: params.id, url });
  markPublic(context, { ownerId: profile.userId, subject: `profile:${profile.userId}`, endsAt });
  const viewerId = viewer(context)?.id;
  const isOwner = viewerId === profile.userId;
  const hasCards = isOwner && profile.showBusinessCard;
  const { isListed } = profile;
  const shownData = {
    profile: shown,
    head: { picture, isListed },
    qr: qrPath(markedUrl(shown.profileUrl, "qr")),
    viewer: isOwner ? ("owner" as const) : viewerId ? { memberId: viewerId } : undefined,
    cards: hasCards ? await listOwn(services(context), profile.userId) : undefined,
  };
  return data(shownData, { headers: isListed ? {} : { "x-robots-tag": "noindex" } });
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

async function listOwn({ db, clock }: Services, ownerId: string) {
  const plan = await findPlan(db, ownerId, clock());
  return { ...listedCards(plan, await listCards(db, ownerId)), formId: crypto.randomUUID() };
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [{ title: answerWords.notFound.title }, { name: "robots", content: "noindex" }];
  return profileHead({ ...loaderData.head, profile: loaderData.profile });
}

export default function PublicProfilePage({ loaderData, params }: Route.ComponentProps) {
  const { profile, qr, viewer, cards } = loaderData;
  const [openCard, setOpenCard] = useState<string>();
  return (
    <>
      <ProfileView
        profile={profile}
        qr={qr}
        {...(viewer && { viewer })}
        cards={cards && <OwnCards {...cards} back={`/u/${params.id}`} onView={setOpenCard} />}
      />
      {/* Beside the page and not in it: the dialog is the app's, and keeps the app's look. */}
      {openCard && (
        <CardDialog
          cardId={openCard}
          displayName={profile.displayName}
          bioCount={(bio) => `${countCharacters(bio)}/${maxBio}`}
          onClose={() => setOpenCard(undefined)}
        />
      )}
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  return <MessageView {...answerWords.notFound} action={{ href: "/", label: "Go to the home page" }} />;
}
