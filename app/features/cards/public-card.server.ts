import { data, redirect } from "react-router";
import type { RouterContextProvider } from "react-router";

import { subscriptionStatus } from "#app/features/billing/data.server.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import { services } from "#app/services/http/context.ts";
import type { Services } from "#app/services/http/context.ts";
import { toCardViewModel } from "./card-view-model.ts";
import type { PublicCardViewModel } from "./card-view-model.ts";
import { cardStyle } from "./card-style.ts";
import { cardPath } from "./address-rules.ts";
import { findPublicCard } from "./data.server.ts";
import type { CardAddress, PublicCard } from "./data.server.ts";
import { isBeyondPlan } from "./rules.ts";

export type LoadedCard = {
  ownerId: string;
  found: PublicCard;
  plan: Plan;
  card: PublicCardViewModel;
  endsAt: number | undefined;
};

/**
 * A public card for its page, contact file, images and QR code, and when its owner's plan ends (`endsAt`, epoch milliseconds). `params` are
 * those of "/card/:id" or "/c/:code". Throws the same 404 for a card that is unknown, private or paused, and for a code in capitals a
 * redirect to the same URL in lower case.
 */
export async function loadPublicCard(
  context: Readonly<RouterContextProvider>,
  { params, url }: { params: { id?: string; code?: string }; url: URL },
): Promise<LoadedCard> {
  const { id = "", code } = params;
  if (code === undefined) return loadFirstCard(context, { id });
  const lowerCase = code.toLowerCase();
  if (code !== lowerCase) {
    const rest = url.pathname.split("/").slice(3);
    throw redirect(`${["/c", encodeURIComponent(lowerCase), ...rest].join("/")}${url.search}`, 301);
  }
  return loadFirstCard(context, { code });
}

/** The card at an address, if its owner's plan shows it. Throws a 404 without one. */
export async function loadFirstCard(
  context: Readonly<RouterContextProvider>,
  address: CardAddress,
): Promise<LoadedCard> {
  const card = await findFirstCard(services(context), address);
  if (!card) throw data(null, { status: 404 });
  return card;
}

/** The same outside a request for a page; undefined without one. */
export async function findFirstCard(
  { db, config, clock }: Pick<Services, "db" | "config" | "clock">,
  address: CardAddress,
): Promise<LoadedCard | undefined> {
  const found = await findPublicCard(db, address);
  if (!found) return undefined;
  const { plan, endsAt } = subscriptionStatus(found.subscription, { now: clock(), premium: config.premium });
  if (isBeyondPlan(plan, found)) return undefined;
  const card = toPublicCardViewModel(found, { baseUrl: config.baseUrl, plan });
  return { ownerId: found.card.ownerId, found, plan, card, endsAt: endsAt ?? undefined };
}

function toPublicCardViewModel(
  { card, displayName, bio, handle, isSample, avatarKey, theme, hasLeadForm }: PublicCard,
  page: { baseUrl: string; plan: Plan },
): PublicCardViewModel {
  const style = cardStyle(card.design, { theme, plan: page.plan });
  return {
    ...toCardViewModel(card, { displayName, logoKey: card.logoKey, avatarKey, style }),
    id: card.id,
    bio: bio || null,
    profileUrl: `/u/${handle || card.ownerId}`,
    cardUrl: page.baseUrl + cardPath(card),
    path: cardPath(card),
    hasBranding: page.plan.hasBranding,
    isSample,
    hasLeadForm,
  };
}
