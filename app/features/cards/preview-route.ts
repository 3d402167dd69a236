import { cardPreview } from "#app/features/sharing/preview-picture.server.ts";
import { pictureResponse } from "#app/features/sharing/picture-response.server.ts";
import { services } from "#app/services/context.ts";
import { fileLoader, refuseWrites } from "#app/services/file-route.server.ts";

import type { Route } from "./+types/preview-route.ts";
import { cardFace, cardPhotos } from "./card-face.server.ts";
import { loadPublicCard } from "./public-card.server.ts";

export { refuseWrites as action };

/** What a chat shows of the card's address. */
export const loader = fileLoader(async (asked: Route.LoaderArgs) => {
  const { card, found, ownerId } = await loadPublicCard(asked.context, asked.params.id);
  const { files } = services(asked.context);
  const { hasBranding } = card;
  const face = cardFace(card);
  const stems = { avatarStem: found.avatarStem, logoStem: found.card.logoStem };
  return pictureResponse(asked, {
    ownerId,
    kind: "card preview 2",
    shows: { face, stems, hasBranding },
    type: "image/png",
    draw: async () => cardPreview({ ...face, ...(await cardPhotos(files, stems)), hasBranding }),
  });
});
