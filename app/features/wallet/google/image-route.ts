import { data } from "react-router";

import { loadPublicCard } from "#app/features/cards/public-card.server.ts";
import { imageResponse } from "#app/features/sharing/images/image-response.server.ts";
import { readPhotos } from "#app/features/wallet/apple/pass-file.server.ts";
import { drawBackgroundTask } from "#app/features/wallet/assets/background-tasks.server.ts";
import { loadPassContent } from "#app/features/wallet/pass-content.server.ts";
import { services } from "#app/services/http/context.ts";
import { fileLoader, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/image-route.ts";
import { googleImageTask } from "./image-tasks.server.ts";
import { hasHero, hasLogo } from "./pass-json.ts";

export { rejectWrites as action };

/** The images that Google loads for the pass of a card. The same 404 for one that the pass doesn't have. */
export const loader = fileLoader(async (args: Route.LoaderArgs) => {
  const all = services(args.context);
  const { file } = args.params;
  const loaded = await loadPublicCard(args.context, args);
  const content = await loadPassContent(all, loaded);
  const kind = file === "hero.jpg" && hasHero(content) ? "hero" : "logo";
  const isThere = kind === "hero" || (file === "logo.png" && hasLogo(content));
  if (!all.googleWallet || !isThere) throw data(null, { status: 404 });
  const { images, colors } = content;
  return imageResponse(args, {
    ownerId: loaded.ownerId,
    kind: `Google Wallet ${kind} 1`,
    content: { images, colors },
    type: kind === "hero" ? "image/jpeg" : "image/png",
    draw: async () => {
      const photos = await readPhotos(all.files, images);
      const source = kind === "hero" ? photos.drawing : undefined;
      // Its tint is drawn with the hero.
      const background = source && (await all.workers.run(drawBackgroundTask, { source, tint: "", width: heroWidth }));
      return all.workers.run(googleImageTask, {
        kind,
        content: { images, colors },
        photos: { ...photos, ...(background && { background }) },
      });
    },
  });
});

const heroWidth = 1032;
