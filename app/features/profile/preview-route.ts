import { pictureResponse } from "#app/features/sharing/picture-response.server.ts";
import { profilePreview } from "#app/features/sharing/preview-picture.server.ts";
import { avatarForms, bannerForms } from "#app/features/uploads/addresses.ts";
import { services } from "#app/services/context.ts";
import { fileLoader, refuseWrites } from "#app/services/file-route.server.ts";

import type { Route } from "./+types/preview-route.ts";
import { loadPublicProfile } from "./public-profile.server.ts";
import { shownName } from "./rules.ts";
import { themeOf } from "./themes.ts";

export { refuseWrites as action };

/** What a chat shows of the profile's address: its head, in its theme. */
export const loader = fileLoader(async (asked: Route.LoaderArgs) => {
  const { profile, shown } = await loadPublicProfile(asked.context, { id: asked.params.id, url: asked.url });
  const { files } = services(asked.context);
  const { avatarStem, bannerStem } = profile;
  const { banner, colors } = themeOf(shown.theme);
  const face = {
    name: shownName(shown.displayName),
    bio: shown.bio ?? "",
    address: shown.profileUrl.replace(/^https?:\/\//, ""),
    colors: { ...colors, plateText: colors["plate-text"] },
    banner,
    hasBranding: shown.hasBranding,
  };
  return pictureResponse(asked, {
    ownerId: profile.userId,
    kind: "profile preview 1",
    shows: { face, avatarStem, bannerStem },
    type: "image/png",
    draw: async () => {
      const avatar = avatarStem ? await files.read(avatarStem + avatarForms.jpeg) : undefined;
      const bannerPhoto = bannerStem ? await files.read(bannerStem + bannerForms.jpeg) : undefined;
      return profilePreview({ ...face, avatar, bannerPhoto });
    },
  });
});
