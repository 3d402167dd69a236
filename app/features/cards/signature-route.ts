import { pictureResponse } from "#app/features/sharing/picture-response.server.ts";
import { signaturePicture } from "#app/features/sharing/signature-picture.server.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { fileLoader, refuseWrites } from "#app/services/file-route.server.ts";

import type { Route } from "./+types/signature-route.ts";
import { loadPublicCard } from "./public-card.server.ts";

export { refuseWrites as action };

/** The code that stands in the owner's e-mail signature. */
export const loader = fileLoader(async (asked: Route.LoaderArgs) => {
  const { card, ownerId } = await loadPublicCard(asked.context, asked.params.id);
  const text = markedUrl(card.cardUrl, "signature");
  return pictureResponse(asked, {
    ownerId,
    kind: "signature 1",
    shows: text,
    type: "image/png",
    draw: () => signaturePicture(text),
  });
});
