import { qrResponse } from "#app/features/sharing/qr-response.server.ts";

import type { Route } from "./+types/qr-route.ts";
import { loadPublicProfile } from "./public-profile.server.ts";
import { shownName } from "./rules.ts";

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const { shown } = await loadPublicProfile(context, { id: params.id, url });
  return qrResponse(url, {
    publicUrl: shown.profileUrl,
    label: `QR code of ${shownName(shown.displayName)}'s profile`,
  });
}
