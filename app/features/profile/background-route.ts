import { backgroundPicture, backgroundTone } from "#app/features/sharing/background-picture.server.ts";
import { pictureResponse } from "#app/features/sharing/picture-response.server.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { fileLoader, plainText, refuseWrites } from "#app/services/file-route.server.ts";

import type { Route } from "./+types/background-route.ts";
import { loadOwnFace } from "./own-face.server.ts";

export { refuseWrites as action };

/** What stands behind the owner in a video call: `?tone=dark` or `?tone=light`. */
export const loader = fileLoader(async (asked: Route.LoaderArgs) => {
  const tone = backgroundTone(asked.url.searchParams.get("tone"));
  if ("problem" in tone) return plainText(tone.problem, { status: 400 });
  const { ownerId, profileUrl, face, avatarStem, avatar, hasBranding } = await loadOwnFace(asked.context);
  const code = { text: markedUrl(profileUrl, "background"), caption: "Scan for my links" };
  return pictureResponse(asked, {
    ownerId,
    kind: "background 2",
    shows: { face, avatarStem, code, hasBranding, tone },
    type: "image/png",
    isPrivate: true,
    draw: async () => {
      const card = { ...face, avatar: await avatar(), logo: undefined };
      return backgroundPicture({ card, code, hasBranding }, tone.tone);
    },
  });
});
