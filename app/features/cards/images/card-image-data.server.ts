import { data } from "react-router";
import type { RouterContextProvider } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import { cardPath } from "#app/features/cards/address-rules.ts";
import { fullName } from "#app/features/cards/card-fields.ts";
import { formatJob, toCardViewModel } from "#app/features/cards/card-view-model.ts";
import type { CardViewModel } from "#app/features/cards/card-view-model.ts";
import { drawnStyle } from "#app/features/cards/card-style.ts";
import { findOwnCard } from "#app/features/cards/data.server.ts";
import type { BusinessCardImages, BusinessCardText } from "#app/features/drawing/business-card-svg.server.ts";
import { avatarVariants, logoVariants } from "#app/features/uploads/image-urls.ts";
import { services } from "#app/services/http/context.ts";
import type { FileStorage } from "#app/services/storage/file-storage.server.ts";

/**
 * The text of a drawn card: the same as on its page. It has room for one phone number and one email address: the first visible
 * ones.
 */
export function toCardImageData(card: CardViewModel): BusinessCardText {
  const { company, department, position } = card;
  return {
    name: fullName(card.displayName.trim() || "Professional", card),
    company: company ?? "",
    position: [position, department].filter(Boolean).join(" · "),
    work: formatJob(card),
    email: card.email ?? card.emails?.[0]?.value ?? "",
    phone: card.phone ?? card.phones?.[0]?.value ?? "",
  };
}

type CardImageKeys = { avatarKey: string | null; logoKey: string | null };

/** The owner's avatar and the company's logo; undefined when a file is missing. */
export async function readCardPhotos(
  files: Pick<FileStorage, "read">,
  { avatarKey, logoKey }: CardImageKeys,
): Promise<BusinessCardImages> {
  const [avatar, logo] = await Promise.all([
    avatarKey ? files.read(avatarKey + avatarVariants.jpeg) : undefined,
    logoKey ? files.read(logoKey + logoVariants.png) : undefined,
  ]);
  return { avatar, logo };
}

type ImageOwner = { ownerId: string; displayName: string; handle: string; theme: string; avatarKey: string | null };

/**
 * Everything that images of an owner's card show; `owner` is their profile. Throws the same 404 for an unknown card and for
 * another owner's.
 */
export async function loadOwnCardImage(
  context: Readonly<RouterContextProvider>,
  { id, owner }: { id: string; owner: ImageOwner },
) {
  const { db, config, files } = services(context);
  const { ownerId, displayName, handle, theme, avatarKey } = owner;
  const card = await findOwnCard(db, { ownerId, id });
  if (!card) throw data(null, { status: 404 });
  const keys = { avatarKey, logoKey: card.logoKey };
  const plan = await findPlan(services(context), ownerId);
  const cardUrl = config.baseUrl + cardPath(card);
  return {
    ownerId,
    cardUrl,
    /** The address to type. */
    address: cardUrl.replace(/^https?:\/\//, ""),
    text: { ...toCardImageData(toCardViewModel(card, { displayName, ...keys })), handle },
    keys,
    photos: () => readCardPhotos(files, keys),
    style: drawnStyle(card.design, { theme, plan }),
    hasBranding: plan.hasBranding,
  };
}
