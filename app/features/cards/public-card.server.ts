import { data } from "react-router";
import type { RouterContextProvider } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { services } from "#app/services/context.ts";
import type { PublicCard as ShownCard } from "./card-view.tsx";
import { shownContact } from "./contact-shown.ts";
import { findPublicCard } from "./data.server.ts";
import type { PublicCard } from "./data.server.ts";
import { isBeyondPlan } from "./rules.ts";

/** A public card as every form of it shows it: page, contact file, QR code. Throws the 404, alike for unknown, private and paused. */
export async function loadPublicCard(
  context: Readonly<RouterContextProvider>,
  id: string,
): Promise<{ ownerId: string; found: PublicCard; card: ShownCard }> {
  const { db, config, clock } = services(context);
  const found = await findPublicCard(db, id);
  if (!found) throw data(null, { status: 404 });
  const ownerId = found.card.userId;
  const plan = await findPlan(db, ownerId, clock());
  if (isBeyondPlan(plan, found)) throw data(null, { status: 404 });
  return { ownerId, found, card: toShown(found, { baseUrl: config.baseUrl, hasBranding: plan.hasBranding }) };
}

function toShown(
  { card, displayName, bio, handle, isSample, avatarStem }: PublicCard,
  page: { baseUrl: string; hasBranding: boolean },
): ShownCard {
  return {
    ...shownContact(card, { displayName, logoStem: card.logoStem, avatarStem }),
    id: card.id,
    bio: bio || null,
    profileUrl: `/u/${handle || card.userId}`,
    cardUrl: `${page.baseUrl}/card/${card.id}`,
    hasBranding: page.hasBranding,
    isSample,
  };
}
