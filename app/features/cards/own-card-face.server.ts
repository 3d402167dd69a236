import { data } from "react-router";
import type { RouterContextProvider } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { services } from "#app/services/context.ts";

import { cardFace, cardPhotos } from "./card-face.server.ts";
import { shownContact } from "./contact-shown.ts";
import { findOwnCard } from "./data.server.ts";

type Owner = { userId: string; displayName: string; handle: string; avatarStem: string | null };

/** A card of its owner, to be drawn; `owner` is their profile. Throws the 404 for an unknown one and somebody else's, alike. */
export async function loadOwnCardFace(
  context: Readonly<RouterContextProvider>,
  { id, owner }: { id: string; owner: Owner },
) {
  const { db, config, clock, files } = services(context);
  const { userId: ownerId, displayName, handle, avatarStem } = owner;
  const card = await findOwnCard(db, { ownerId, id });
  if (!card) throw data(null, { status: 404 });
  const stems = { avatarStem, logoStem: card.logoStem };
  const { hasBranding } = await findPlan(db, ownerId, clock());
  const cardUrl = `${config.baseUrl}/card/${card.id}`;
  return {
    ownerId,
    cardUrl,
    /** What people can type: the handle's address where there is one, else the card's. */
    address: (handle ? `${config.baseUrl}/u/${handle}` : cardUrl).replace(/^https?:\/\//, ""),
    face: cardFace(shownContact(card, { displayName, ...stems })),
    stems,
    photos: () => cardPhotos(files, stems),
    hasBranding,
  };
}
