import { qrResponse } from "#app/features/sharing/qr-response.server.ts";

import type { Route } from "./+types/qr-route.ts";
import { loadPublicCard } from "./public-card.server.ts";
import { shownName } from "#app/features/profile/rules.ts";

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { card } = await loadPublicCard(context, params.id);
  return qrResponse(url, {
    publicUrl: card.cardUrl,
    label: `QR code of ${shownName(card.displayName)}'s business card`,
  });
}
