import { loadPublicProfile } from "#app/features/profile/public-profile.server.ts";
import { publicName } from "#app/features/profile/rules.ts";
import { findTheme } from "#app/features/profile/themes.ts";
import { profilePreviewTask } from "#app/features/sharing/images/drawing-tasks.server.ts";
import { imageResponse } from "#app/features/sharing/images/image-response.server.ts";
import { avatarVariants, bannerVariants } from "#app/features/uploads/image-urls.ts";
import { services } from "#app/services/http/context.ts";
import { fileLoader, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/preview-route.ts";

export { rejectWrites as action };

/** The image for link previews: the head of the profile in its theme. */
export const loader = fileLoader(async (args: Route.LoaderArgs) => {
  const { profile, publicProfile } = await loadPublicProfile(args.context, { id: args.params.id, url: args.url });
  const { files, workers } = services(args.context);
  const { avatarKey, bannerKey } = profile;
  const { banner, colors } = findTheme(publicProfile.theme);
  const preview = {
    name: publicName(publicProfile.displayName),
    handle: profile.handle,
    bio: publicProfile.bio ?? "",
    address: publicProfile.profileUrl.replace(/^https?:\/\//, ""),
    colors: { ...colors, avatarText: colors["avatar-text"] },
    banner,
    hasBranding: publicProfile.hasBranding,
  };
  return imageResponse(args, {
    ownerId: profile.ownerId,
    kind: "profile preview 2",
    content: { preview, avatarKey, bannerKey },
    type: "image/png",
    draw: async () => {
      const avatar = avatarKey ? await files.read(avatarKey + avatarVariants.jpeg) : undefined;
      const bannerPhoto = bannerKey ? await files.read(bannerKey + bannerVariants.jpeg) : undefined;
      return workers.run(profilePreviewTask, { ...preview, avatar, bannerPhoto });
    },
  });
});
