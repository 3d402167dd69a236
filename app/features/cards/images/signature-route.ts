import { signatureTask } from "#app/features/sharing/images/drawing-tasks.server.ts";
import { imageResponse } from "#app/features/sharing/images/image-response.server.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { services } from "#app/services/http/context.ts";
import { fileLoader, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/signature-route.ts";
import { loadPublicCard } from "#app/features/cards/public-card.server.ts";

export { rejectWrites as action };

/** The QR code in the owner's email signature. */
export const loader = fileLoader(async (args: Route.LoaderArgs) => {
  const { workers } = services(args.context);
  const { card, ownerId } = await loadPublicCard(args.context, args);
  const text = markedUrl(card.cardUrl, "signature");
  return imageResponse(args, {
    ownerId,
    kind: "signature 1",
    content: text,
    type: "image/png",
    draw: () => workers.run(signatureTask, text),
  });
});
