import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { backgroundPicture, backgroundTone } from "#app/features/sharing/background-picture.server.ts";
import { pictureResponse } from "#app/features/sharing/picture-response.server.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { fileLoader, plainText, refuseWrites } from "#app/services/file-route.server.ts";

import type { Route } from "./+types/background-route.ts";
import { loadOwnCardFace } from "./own-card-face.server.ts";

export { refuseWrites as action };

/** What stands behind the owner in a video call: `?tone=dark` or `?tone=light`. */
export const loader = fileLoader(async (asked: Route.LoaderArgs) => {
  const tone = backgroundTone(asked.url.searchParams.get("tone"));
  if ("problem" in tone) return plainText(tone.problem, { status: 400 });
  const owner = await loadOwnProfile(asked.context);
  const own = await loadOwnCardFace(asked.context, { id: asked.params.id, owner });
  const { ownerId, cardUrl, face, stems, photos, hasBranding } = own;
  const code = { text: markedUrl(cardUrl, "background"), caption: "Scan for my card" };
  return pictureResponse(asked, {
    ownerId,
    kind: "background 2",
    shows: { face, stems, code, hasBranding, tone },
    type: "image/png",
    isPrivate: true,
    draw: async () => backgroundPicture({ card: { ...face, ...(await photos()) }, code, hasBranding }, tone.tone),
  });
});
