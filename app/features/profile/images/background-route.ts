import { readBackgroundTone } from "#app/features/sharing/images/background-image.server.ts";
import { backgroundTask } from "#app/features/sharing/images/drawing-tasks.server.ts";
import { imageResponse } from "#app/features/sharing/images/image-response.server.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { services } from "#app/services/http/context.ts";
import { fileLoader, plainTextResponse, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/background-route.ts";
import { loadProfileImageData } from "./profile-image-data.server.ts";

export { rejectWrites as action };

/** A background for video calls: `?tone=dark` or `?tone=light`. */
export const loader = fileLoader(async (args: Route.LoaderArgs) => {
  const tone = readBackgroundTone(args.url.searchParams.get("tone"));
  if ("problem" in tone) return plainTextResponse(tone.problem, { status: 400 });
  const { workers } = services(args.context);
  const { ownerId, profileUrl, card, avatarKey, avatar, hasBranding } = await loadProfileImageData(args.context);
  const code = { text: markedUrl(profileUrl, "background"), caption: "Scan for my links" };
  return imageResponse(args, {
    ownerId,
    kind: "background 3",
    content: { card, avatarKey, code, hasBranding, tone },
    type: "image/png",
    isPrivate: true,
    draw: async () => {
      const drawn = { ...card, avatar: await avatar(), logo: undefined };
      return workers.run(backgroundTask, { background: { card: drawn, code, hasBranding }, ...tone });
    },
  });
});
