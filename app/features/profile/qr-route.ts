import { qrResponse } from "#app/features/sharing/qr-response.server.ts";
import { avatarForms } from "#app/features/uploads/addresses.ts";
import { services } from "#app/services/context.ts";
import { fileLoader, refuseWrites } from "#app/services/file-route.server.ts";

import type { Route } from "./+types/qr-route.ts";
import { loadPublicProfile } from "./public-profile.server.ts";
import { shownName } from "./rules.ts";

export { refuseWrites as action };

export const loader = fileLoader(async (asked: Route.LoaderArgs) => {
  const { profile, shown } = await loadPublicProfile(asked.context, { id: asked.params.id, url: asked.url });
  const { files } = services(asked.context);
  const stem = profile.avatarStem;
  return qrResponse(asked, {
    ownerId: profile.userId,
    publicUrl: shown.profileUrl,
    label: `QR code of ${shownName(shown.displayName)}'s profile`,
    avatar: stem ? { stem, read: () => files.read(stem + avatarForms.jpeg) } : undefined,
  });
});
