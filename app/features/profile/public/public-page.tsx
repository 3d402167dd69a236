import { useState } from "react";
import { data, isRouteErrorResponse } from "react-router";
import type { MetaDescriptor } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { listCards } from "#app/features/cards/data.server.ts";
import { CardDialog, CardSkeleton } from "#app/features/cards/dialog/card-dialog.tsx";
import { OwnCards } from "#app/features/cards/list/own-cards.tsx";
import { cardPath } from "#app/features/cards/address-rules.ts";
import { ContactButtons } from "#app/features/cards/public/save-contact-button.tsx";
import { toCardList } from "#app/features/cards/list/card-rows.server.ts";
import { messages } from "#app/features/profile/messages.ts";
import type { Profile } from "#app/features/profile/data.server.ts";
import { loadPublicProfile } from "#app/features/profile/public-profile.server.ts";
import type { PublicProfile } from "#app/features/profile/public-profile.server.ts";
import { countSavedCharacters, maxBio, publicName } from "#app/features/profile/rules.ts";
import { findTheme } from "#app/features/profile/themes.ts";
import { qrPath } from "#app/features/drawing/qr-code.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { sealIcon } from "#app/features/shell/seal-drawing.ts";
import { MessageView } from "#app/features/shell/message-view.tsx";
import { avatarUrls } from "#app/features/uploads/image-urls.ts";
import { passFailed } from "#app/features/wallet/messages.ts";
import { markPublicPage, services, viewer } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";
import { LazyPart } from "#app/ui/components/loading.tsx";
import type { ToastContent } from "#app/ui/components/toast.tsx";

import type { Route } from "./+types/public-page.ts";
import { ProfileView } from "./profile-view.tsx";

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const found = await loadPublicProfile(context, { id: params.id, url });
  const { profile, publicProfile, previewImage, contactCard, endsAt } = found;
  const { ownerId, pagesVersion } = profile;
  markPublicPage(context, { ownerId, subject: `profile:${ownerId}`, endsAt, pagesVersion });
  const viewerId = viewer(context)?.id;
  const isOwner = viewerId === ownerId;
  const hasCards = isOwner && profile.showBusinessCard;
  const { isListed } = profile;
  const pageData = {
    profile: publicProfile,
    head: { previewImage, isListed },
    qr: qrPath(markedUrl(publicProfile.profileUrl, "qr")),
    isOwner,
    strangerId: isOwner ? undefined : viewerId,
    contactPath: contactCard && cardPath(contactCard),
    formPath: contactCard?.hasForm ? `${cardPath(contactCard)}/connect` : undefined,
    cards: hasCards ? await listOwnCards(services(context), profile) : undefined,
  };
  return data(pageData, { headers: isListed ? {} : { "x-robots-tag": "noindex" } });
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

async function listOwnCards(all: Services, owner: Profile) {
  const plan = await findPlan(all, owner.ownerId);
  return { ...toCardList(plan, await listCards(all.db, owner.ownerId), owner), formId: crypto.randomUUID() };
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [{ title: messages.notFound.title }, { name: "robots", content: "noindex" }];
  return profileMeta({ ...loaderData.head, profile: loaderData.profile });
}

export default function PublicProfilePage({ loaderData, params }: Route.ComponentProps) {
  const { profile, qr, isOwner, strangerId, contactPath, formPath, cards } = loaderData;
  const viewer = isOwner ? "owner" : strangerId && { userId: strangerId };
  const [openCard, setOpenCard] = useState<string>();
  return (
    <>
      <ProfileView
        profile={profile}
        qr={qr}
        {...(viewer && { viewer })}
        contact={contactPath && <ContactButtons path={contactPath} formPath={formPath} />}
        cards={cards && <OwnCards {...cards} back={`/u/${params.id}`} onView={setOpenCard} />}
      />
      {/* Outside the page element, so that the dialog has the app's styles. */}
      {openCard && (
        <CardDialog
          cardId={openCard}
          displayName={profile.displayName}
          bioCount={(bio) => `${countSavedCharacters(bio)}/${maxBio}`}
          PassPanel={PassPanel}
          openPass={openPass}
          onClose={() => setOpenCard(undefined)}
        />
      )}
    </>
  );
}

/** Loaded when its tab is opened. */
function PassPanel(props: PassPanelProps) {
  return (
    <LazyPart load={loadPassPanel} fallback={<CardSkeleton />}>
      {({ PassTabPanel }) => <PassTabPanel {...props} />}
    </LazyPart>
  );
}

type PassPanelProps = { cardId: string; onDirty: (isDirty: boolean) => void };

const loadPassPanel = () => import("#app/features/wallet/design/pass-panel.tsx");

/** Loaded when the button is pressed. */
async function openPass(cardId: string): Promise<ToastContent> {
  try {
    const { openPassInDialog } = await import("#app/features/wallet/public/pass-client.ts");
    return await openPassInDialog(cardId);
  } catch {
    // No connection, or a newer version of the site.
    return { title: "Error", text: passFailed, tone: "error" };
  }
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  return <MessageView {...messages.notFound} action={{ href: "/", label: "Go to the home page" }} />;
}

/** For browsers, search engines and link previews. */
function profileMeta({ profile, previewImage, isListed }: ProfileMetaOptions): MetaDescriptor[] {
  const { profileUrl, theme } = profile;
  const name = publicName(profile.displayName);
  const description = toOneLine(profile) ?? `Links and contact details for ${name}`;
  const { colors, dark } = findTheme(theme);
  return [
    { title: `${name} | Professional Profile` },
    { name: "theme-color", content: colors.ground, ...(dark && { media: "(prefers-color-scheme:light)" }) },
    ...(dark ? [{ name: "theme-color", content: dark.ground, media: "(prefers-color-scheme:dark)" }] : []),
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: profileUrl },
    { tagName: "link", rel: "icon", href: sealIcon },
    { property: "og:title", content: name },
    { property: "og:description", content: description },
    { property: "og:type", content: "profile" },
    { property: "og:url", content: profileUrl },
    { property: "og:image", content: previewImage },
    { property: "og:image:width", content: "1200" },
    { property: "og:image:height", content: "630" },
    { name: "twitter:card", content: "summary_large_image" },
    // A page that may not be listed needs no structured data.
    isListed ? { "script:ld+json": profilePageJsonLd(profile) } : { name: "robots", content: "noindex" },
  ];
}

type ProfileMetaOptions = {
  profile: PublicProfile;
  /** The full URL of an image of 1200 x 630 pixels. */
  previewImage: string;
  isListed: boolean;
};

/** schema.org's ProfilePage. React Router escapes it, so that no text can end its script element. */
function profilePageJsonLd(profile: PublicProfile) {
  const { profileUrl, links } = profile;
  const avatar = avatarUrls(profile.avatarKey);
  const pages = links.map(({ url }) => url).filter((url) => /^https?:/i.test(url));
  return {
    "@context": "https://schema.org",
    "@type": "ProfilePage",
    mainEntity: {
      "@type": "Person",
      name: publicName(profile.displayName),
      description: toOneLine(profile),
      image: avatar && new URL(avatar.jpeg, profileUrl).href,
      url: profileUrl,
      sameAs: pages.length > 0 ? pages : undefined,
    },
  };
}

function toOneLine({ bio }: PublicProfile): string | undefined {
  return bio?.replaceAll(/\s+/g, " ");
}
