import { publicName } from "#app/features/profile/rules.ts";
import { qrResponse } from "#app/features/sharing/images/qr-response.server.ts";
import { avatarVariants } from "#app/features/uploads/image-urls.ts";
import { services } from "#app/services/http/context.ts";
import { fileLoader, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/qr-route.ts";
import { loadPublicCard } from "#app/features/cards/public-card.server.ts";

export { rejectWrites as action };

/** With `?opens=connect` the code opens the card's form at once. */
export const loader = fileLoader(async (args: Route.LoaderArgs) => {
  const { card, found, ownerId } = await loadPublicCard(args.context, args);
  const { files } = services(args.context);
  const keyPrefix = found.avatarKey;
  return qrResponse(args, {
    ownerId,
    publicUrl: args.url.searchParams.get("opens") === "connect" ? `${card.cardUrl}/connect` : card.cardUrl,
    label: `QR code for ${publicName(card.displayName)}'s business card`,
    avatar: keyPrefix ? { keyPrefix, read: () => files.read(keyPrefix + avatarVariants.jpeg) } : undefined,
  });
});
