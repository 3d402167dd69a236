import { shownName } from "#app/features/profile/rules.ts";
import { qrResponse } from "#app/features/sharing/qr-response.server.ts";
import { avatarForms } from "#app/features/uploads/addresses.ts";
import { services } from "#app/services/context.ts";
import { fileLoader, refuseWrites } from "#app/services/file-route.server.ts";

import type { Route } from "./+types/qr-route.ts";
import { loadPublicCard } from "./public-card.server.ts";

export { refuseWrites as action };

export const loader = fileLoader(async (asked: Route.LoaderArgs) => {
  const { card, found, ownerId } = await loadPublicCard(asked.context, asked.params.id);
  const { files } = services(asked.context);
  const stem = found.avatarStem;
  return qrResponse(asked, {
    ownerId,
    publicUrl: card.cardUrl,
    label: `QR code of ${shownName(card.displayName)}'s business card`,
    avatar: stem ? { stem, read: () => files.read(stem + avatarForms.jpeg) } : undefined,
  });
});
