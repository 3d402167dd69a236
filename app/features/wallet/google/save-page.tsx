import { data, isRouteErrorResponse, redirect } from "react-router";

import { countCardEvent } from "#app/features/analytics/counting/counter.server.ts";
import { messages } from "#app/features/cards/messages.ts";
import { loadPublicCard } from "#app/features/cards/public-card.server.ts";
import { MessageView } from "#app/features/shell/message-view.tsx";
import { requestContext, services } from "#app/services/http/context.ts";

import type { Route } from "./+types/save-page.ts";
import { isApplePassOffered, prepareSaveLink } from "./google-save.server.ts";

/**
 * Makes sure that Google has the card's pass and leads to Google's page that saves it. A page is shown only when Google can't take the
 * pass now: it offers another way to keep the card. The same 404 where Google Wallet isn't configured as for a card that visitors can't open.
 */
export async function loader({ params, context, request, url }: Route.LoaderArgs) {
  const all = services(context);
  const { card, ownerId } = await loadPublicCard(context, { params, url });
  if (!all.googleWallet) throw data(null, { status: 404 });
  const { address } = context.get(requestContext);
  const result = await prepareSaveLink(
    { ...all, googleWallet: all.googleWallet },
    { cardId: card.id, ownerId, address },
  );
  const headers = { "cache-control": "no-store", "x-robots-tag": "noindex" };
  if (result.kind === "link") {
    countCardEvent({ context, request, url }, { ownerId, cardId: card.id, kind: "wallet" });
    return redirect(result.url, { headers });
  }
  const path = new URL(card.cardUrl).pathname;
  const action = isApplePassOffered(all)
    ? { href: `${path}/pass.pkpass`, label: saveMessages.passFile }
    : { href: `${path}/contact.vcf`, label: saveMessages.contactFile };
  const status = result.kind === "too-many" ? 429 : 503;
  return data({ problem: result.kind, action }, { status, headers: { ...headers, "retry-after": "60" } });
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export function meta({ loaderData }: Route.MetaArgs) {
  const { title } = loaderData ? saveMessages[loaderData.problem] : messages.notFound;
  return [{ title }, { name: "robots", content: "noindex" }];
}

export default function SavePage({ loaderData }: Route.ComponentProps) {
  return <MessageView {...saveMessages[loaderData.problem]} action={loaderData.action} />;
}

/** A visitor can't tell an unknown card from a private or paused one. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  return <MessageView {...messages.notFound} action={{ href: "/", label: "Go to the home page" }} />;
}

/** Shown instead of Google's page. */
const saveMessages = {
  unavailable: {
    title: "Google Wallet isn’t available",
    text: "This card can’t be added to Google Wallet right now. Try again in a few minutes, or keep the card another way.",
  },
  "too-many": {
    title: "Too many requests",
    text: "Many cards were added from your network. Try again in a few minutes, or keep the card another way.",
  },
  passFile: "Download the pass",
  contactFile: "Save the contact",
} as const;
