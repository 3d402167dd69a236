import { loadPublicProfile } from "#app/features/profile/public-profile.server.ts";
import { publicName } from "#app/features/profile/rules.ts";
import { qrResponse } from "#app/features/sharing/images/qr-response.server.ts";
import { avatarVariants } from "#app/features/uploads/image-urls.ts";
import { services } from "#app/services/http/context.ts";
import { fileLoader, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/qr-route.ts";

export { rejectWrites as action };

export const loader = fileLoader(async (args: Route.LoaderArgs) => {
  const { profile, publicProfile } = await loadPublicProfile(args.context, { id: args.params.id, url: args.url });
  const { files } = services(args.context);
  const { avatarKey } = profile;
  return qrResponse(args, {
    ownerId: profile.ownerId,
    publicUrl: publicProfile.profileUrl,
    label: `QR code for ${publicName(publicProfile.displayName)}'s profile`,
    avatar: avatarKey ? { keyPrefix: avatarKey, read: () => files.read(avatarKey + avatarVariants.jpeg) } : undefined,
  });
});
