import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { readGround } from "#app/features/sharing/images/background-image.server.ts";
import { backgroundTask } from "#app/features/sharing/images/drawing-tasks.server.ts";
import { imageResponse } from "#app/features/sharing/images/image-response.server.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { findGround } from "#app/features/wallet/assets/default-image-drawing.ts";
import { services } from "#app/services/http/context.ts";
import { fileLoader, plainTextResponse, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/background-route.ts";
import { loadOwnCardImage } from "./card-image-data.server.ts";

export { rejectWrites as action };

/** A background for video calls: `?tone=dark`, `?tone=light`, or one of our images as in `?tone=washi`. */
export const loader = fileLoader(async (args: Route.LoaderArgs) => {
  const read = readGround(args.url.searchParams.get("tone"), findGround);
  if ("problem" in read) return plainTextResponse(read.problem, { status: 400 });
  const { workers } = services(args.context);
  const owner = await loadOwnProfile(args.context);
  const own = await loadOwnCardImage(args.context, { id: args.params.id, owner });
  const { ownerId, cardUrl, text, keys, photos, hasBranding, style } = own;
  const { layout, colors } = style;
  const code = { text: markedUrl(cardUrl, "background"), caption: "Scan for my card" };
  return imageResponse(args, {
    ownerId,
    kind: "background 4",
    content: { face: text, keyPrefixes: keys, code, hasBranding, ...read, layout, colors },
    type: "image/png",
    isPrivate: true,
    draw: async () => {
      const background = { card: { ...text, ...(await photos()), layout, colors }, code, hasBranding };
      return workers.run(backgroundTask, { background, ...read });
    },
  });
});
