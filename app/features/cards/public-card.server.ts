import { data } from "react-router";
import type { RouterContextProvider } from "react-router";

import { subscriptionStatus } from "#app/features/billing/data.server.ts";
import { services } from "#app/services/http/context.ts";
import { toCardViewModel } from "./card-view-model.ts";
import type { PublicCardViewModel } from "./card-view-model.ts";
import { findPublicCard } from "./data.server.ts";
import type { PublicCard } from "./data.server.ts";
import { isBeyondPlan } from "./rules.ts";

/**
 * A public card for its page, contact file, images and QR code, and when its owner's plan ends (`endsAt`, epoch milliseconds). Throws the
 * same 404 for a card that is unknown, private or paused.
 */
export async function loadPublicCard(
  context: Readonly<RouterContextProvider>,
  id: string,
): Promise<{ ownerId: string; found: PublicCard; card: PublicCardViewModel; endsAt: number | undefined }> {
  const { db, config, clock } = services(context);
  const found = await findPublicCard(db, id);
  if (!found) throw data(null, { status: 404 });
  const ownerId = found.card.ownerId;
  const { plan, paidUntil } = subscriptionStatus(found.subscription, clock());
  if (isBeyondPlan(plan, found)) throw data(null, { status: 404 });
  return {
    ownerId,
    found,
    card: toPublicCardViewModel(found, { baseUrl: config.baseUrl, hasBranding: plan.hasBranding }),
    endsAt: paidUntil ?? undefined,
  };
}

function toPublicCardViewModel(
  { card, displayName, bio, handle, isSample, avatarKey }: PublicCard,
  page: { baseUrl: string; hasBranding: boolean },
): PublicCardViewModel {
  return {
    ...toCardViewModel(card, { displayName, logoKey: card.logoKey, avatarKey }),
    id: card.id,
    bio: bio || null,
    profileUrl: `/u/${handle || card.ownerId}`,
    cardUrl: `${page.baseUrl}/card/${card.id}`,
    hasBranding: page.hasBranding,
    isSample,
  };
}
