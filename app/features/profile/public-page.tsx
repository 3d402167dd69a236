import { useState } from "react";
import { isRouteErrorResponse } from "react-router";

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
import { sealIcon } from "#app/ui/seal.tsx";

import type { Route } from "./+types/public-page.ts";
import { messages } from "./messages.ts";
import { ProfileView } from "./profile-view.tsx";
import { loadPublicProfile } from "./public-profile.server.ts";
import { countCharacters, maxBio, shownName } from "./rules.ts";
import { themeOf } from "./themes.ts";

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { profile, shown } = await loadPublicProfile(context, { id: params.id, url });
  markPublic(context, { ownerId: profile.userId, subject: `profile:${profile.userId}` });
  const viewerId = viewer(context)?.id;
  const isOwner = viewerId === profile.userId;
  const hasCards = isOwner && profile.showBusinessCard;
  return {
    profile: shown,
    qr: qrPath(markedUrl(shown.profileUrl, "qr")),
    viewer: isOwner ? ("owner" as const) : viewerId ? { memberId: viewerId } : undefined,
    cards: hasCards ? await listOwn(services(context), profile.userId) : undefined,
  };
}

async function listOwn({ db, clock }: Services, ownerId: string) {
  const plan = await findPlan(db, ownerId, clock());
  return listedCards(plan, await listCards(db, ownerId)).cards;
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [{ title: messages.notFound.title }, { name: "robots", content: "noindex" }];
  const { profile } = loaderData;
  const name = shownName(profile.displayName);
  const description = profile.bio?.replaceAll(/\s+/g, " ") ?? `Links and contact details of ${name}`;
  return [
    { title: `${name} | Professional Profile` },
    { name: "theme-color", content: themeOf(profile.theme).colors.ground },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: profile.profileUrl },
    { tagName: "link", rel: "icon", href: sealIcon },
    { property: "og:title", content: name },
    { property: "og:description", content: description },
    { property: "og:type", content: "profile" },
    { property: "og:url", content: profile.profileUrl },
    { name: "twitter:card", content: "summary" },
  ];
}

export default function PublicProfilePage({ loaderData }: Route.ComponentProps) {
  const { profile, qr, viewer, cards } = loaderData;
  const [openCard, setOpenCard] = useState<string>();
  return (
    <>
      <ProfileView
        profile={profile}
        qr={qr}
        {...(viewer && { viewer })}
        cards={cards && <OwnCards cards={cards} onView={setOpenCard} />}
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
  return <MessageView {...messages.notFound} action={{ href: "/", label: "Go to the home page" }} />;
}
