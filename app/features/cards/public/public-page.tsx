import { data, isRouteErrorResponse } from "react-router";

import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { loadPublicProfile } from "#app/features/profile/public-profile.server.ts";
import { findTheme } from "#app/features/profile/themes.ts";
import { qrPath } from "#app/features/drawing/qr-code.ts";
import { WalletBadges } from "#app/features/wallet/public/wallet-badges.tsx";
import { walletCss } from "#app/features/wallet/public/wallet-style.ts";
import { findSigner } from "#app/services/config/apple-passes.server.ts";
import { allowInlineStyle, markPublicPage, services, viewer } from "#app/services/http/context.ts";
import { MessageView } from "#app/features/shell/message-view.tsx";
import { sealIcon } from "#app/features/shell/seal-drawing.ts";

import type { Route } from "./+types/public-page.ts";
import { cardRules } from "./show-all-field.tsx";
import { PublicCardView } from "./public-card-view.tsx";
import { messages } from "#app/features/cards/messages.ts";
import { loadFirstCard, loadPublicCard } from "#app/features/cards/public-card.server.ts";
import { cardSummary } from "#app/features/cards/rules.ts";

/** The loader of `/c/{code}`, `/card/{id}` and `/u/{owner}/card`, the card that the owner's profile offers. */
export async function loader({ params, context, url }: Route.LoaderArgs) {
  const owner = params.owner === undefined ? undefined : await loadPublicProfile(context, { id: params.owner, url });
  const shown = owner
    ? await loadFirstCard(context, { id: owner.contactCard?.id ?? "" })
    : await loadPublicCard(context, { params, url });
  const { changedAt, isListed } = shown.found;
  const { pagesVersion } = owner?.profile ?? shown.found;
  const { ownerId } = shown;
  const { applePasses, googleWallet, clock } = services(context);
  const signer = findSigner(applePasses, clock());
  const wallets = { apple: signer !== undefined, google: googleWallet !== undefined };
  const hasPass = wallets.apple || wallets.google;
  const css = cardRules(shown.card) + (hasPass ? walletCss : "");
  allowInlineStyle(context, css);
  // Without a certificate there is no pass, and no link to it.
  const ends = [shown.endsAt, signer?.expiresAt].filter((end) => end !== undefined);
  const endsAt = ends.length > 0 ? Math.min(...ends) : undefined;
  markPublicPage(context, { ownerId, subject: `card:${shown.card.id}`, endsAt, pagesVersion });
  const qr = qrPath(markedUrl(shown.card.cardUrl, "qr"));
  const isOwner = viewer(context)?.id === ownerId;
  const page = { card: shown.card, changedAt, isListed, qr, css, wallets, hasPass, isOwner };
  return data(page, { headers: isListed ? {} : { "x-robots-tag": "noindex" } });
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [{ title: messages.notFound.title }, { name: "robots", content: "noindex" }];
  const { card, changedAt, isListed } = loaderData;
  const summary = cardSummary(card);
  const mark = card.hasBranding ? "" : "-own";
  return [
    { title: `${summary.title} | Business Card` },
    ...themeColorMeta(card.style?.theme),
    { name: "description", content: summary.description },
    { tagName: "link", rel: "canonical", href: card.cardUrl },
    { tagName: "link", rel: "icon", href: sealIcon },
    { property: "og:title", content: summary.title },
    { property: "og:description", content: summary.description },
    { property: "og:type", content: "profile" },
    { property: "og:url", content: card.cardUrl },
    // The URL changes with each change of the card, and with a plan without our branding: chat apps cache it for a long time.
    { property: "og:image", content: `${card.cardUrl}/preview.png?v=${changedAt.toString(36)}${mark}` },
    { property: "og:image:width", content: "1200" },
    { property: "og:image:height", content: "630" },
    { property: "og:image:alt", content: `${summary.title}'s business card` },
    { name: "twitter:card", content: "summary_large_image" },
    ...(isListed ? [] : [{ name: "robots", content: "noindex" }]),
  ];
}

/** What browsers paint around the page. */
function themeColorMeta(theme = "default") {
  const { colors, dark } = findTheme(theme);
  return [
    { name: "theme-color", content: colors.ground, ...(dark && { media: "(prefers-color-scheme:light)" }) },
    ...(dark ? [{ name: "theme-color", content: dark.ground, media: "(prefers-color-scheme:dark)" }] : []),
  ];
}

export default function PublicCardPage({ loaderData }: Route.ComponentProps) {
  const { card, qr, css, isOwner, wallets: offered, hasPass } = loaderData;
  const wallets = hasPass && <WalletBadges cardId={card.id} path={card.path} offered={offered} />;
  return <PublicCardView {...{ card, qr, css, isOwner, wallets }} />;
}

/** A visitor can't tell an unknown card from a private or paused one. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  return <MessageView {...messages.notFound} action={{ href: "/", label: "Go to the home page" }} />;
}
