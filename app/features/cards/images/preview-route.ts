import { cardPreviewTask } from "#app/features/sharing/images/drawing-tasks.server.ts";
import { imageResponse } from "#app/features/sharing/images/image-response.server.ts";
import { services } from "#app/services/http/context.ts";
import { fileLoader, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/preview-route.ts";
import { toCardImageData, readCardPhotos } from "./card-image-data.server.ts";
import { drawnStyle } from "#app/features/cards/card-style.ts";
import { loadPublicCard } from "#app/features/cards/public-card.server.ts";

export { rejectWrites as action };

/** The image of the card's link preview in chats. */
export const loader = fileLoader(async (args: Route.LoaderArgs) => {
  const { card, found, plan, ownerId } = await loadPublicCard(args.context, args);
  const { files, workers } = services(args.context);
  const { hasBranding } = card;
  const { layout, colors, page } = drawnStyle(found.card.design, { theme: found.theme, plan });
  const style = { layout, colors, page };
  const text = { ...toCardImageData(card), handle: found.handle };
  const keys = { avatarKey: found.avatarKey, logoKey: found.card.logoKey };
  return imageResponse(args, {
    ownerId,
    kind: "card preview 4",
    content: { face: text, keyPrefixes: keys, hasBranding, ...style },
    type: "image/png",
    draw: async () =>
      workers.run(cardPreviewTask, { ...text, ...(await readCardPhotos(files, keys)), hasBranding, ...style }),
  });
});
