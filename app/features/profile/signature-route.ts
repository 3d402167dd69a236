import { pictureResponse } from "#app/features/sharing/picture-response.server.ts";
import { signaturePicture } from "#app/features/sharing/signature-picture.server.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { fileLoader, refuseWrites } from "#app/services/file-route.server.ts";

import type { Route } from "./+types/signature-route.ts";
import { loadPublicProfile } from "./public-profile.server.ts";

export { refuseWrites as action };

/** The code that stands in the owner's e-mail signature. */
export const loader = fileLoader(async (asked: Route.LoaderArgs) => {
  const { profile, shown } = await loadPublicProfile(asked.context, { id: asked.params.id, url: asked.url });
  const text = markedUrl(shown.profileUrl, "signature");
  return pictureResponse(asked, {
    ownerId: profile.userId,
    kind: "signature 1",
    shows: text,
    type: "image/png",
    draw: () => signaturePicture(text),
  });
});
