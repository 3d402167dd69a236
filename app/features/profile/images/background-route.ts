import { readGround } from "#app/features/sharing/images/background-image.server.ts";
import { backgroundTask } from "#app/features/sharing/images/drawing-tasks.server.ts";
import { imageResponse } from "#app/features/sharing/images/image-response.server.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { findGround } from "#app/features/wallet/assets/default-image-drawing.ts";
import { services } from "#app/services/http/context.ts";
import { fileLoader, plainTextResponse, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/background-route.ts";
import { loadProfileImageData } from "./profile-image-data.server.ts";

export { rejectWrites as action };

/** A background for video calls: `?tone=dark`, `?tone=light`, or one of our images as in `?tone=washi`. */
export const loader = fileLoader(async (args: Route.LoaderArgs) => {
  const read = readGround(args.url.searchParams.get("tone"), findGround);
  if ("problem" in read) return plainTextResponse(read.problem, { status: 400 });
  const { workers } = services(args.context);
  const { ownerId, profileUrl, card, avatarKey, avatar, hasBranding } = await loadProfileImageData(args.context);
  const code = { text: markedUrl(profileUrl, "background"), caption: "Scan for my links" };
  return imageResponse(args, {
    ownerId,
    kind: "background 4",
    content: { card, avatarKey, code, hasBranding, ...read },
    type: "image/png",
    isPrivate: true,
    draw: async () => {
      const drawn = { ...card, avatar: await avatar(), logo: undefined };
      return workers.run(backgroundTask, { background: { card: drawn, code, hasBranding }, ...read });
    },
  });
});
