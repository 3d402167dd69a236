import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { printSheetTask } from "#app/features/sharing/images/drawing-tasks.server.ts";
import { imageResponse } from "#app/features/sharing/images/image-response.server.ts";
import { readPrintSheetOptions } from "#app/features/sharing/images/print-rules.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { services } from "#app/services/http/context.ts";
import { fileLoader, plainTextResponse, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/print-route.ts";
import { loadOwnCardImage } from "./card-image-data.server.ts";

export { rejectWrites as action };

/** Cards to print and cut: `?size=91x55&paper=a4&color=1f2937`. */
export const loader = fileLoader(async (args: Route.LoaderArgs) => {
  const sheet = readPrintSheetOptions(args.url.searchParams);
  if ("problem" in sheet) return plainTextResponse(sheet.problem, { status: 400 });
  const { workers } = services(args.context);
  const owner = await loadOwnProfile(args.context);
  const own = await loadOwnCardImage(args.context, { id: args.params.id, owner });
  const { ownerId, cardUrl, address, text, keys, photos, hasBranding, style } = own;
  const back = { text: markedUrl(cardUrl, "print"), address, hasBranding };
  const design = { layout: style.layout, brand: style.onWhite };
  return imageResponse(args, {
    ownerId,
    kind: "print 4",
    content: { face: text, keyPrefixes: keys, design, back, sheet },
    type: "application/pdf",
    isPrivate: true,
    filename: "business-cards.pdf",
    draw: async () => workers.run(printSheetTask, { front: { ...text, ...(await photos()), ...design }, back, sheet }),
  });
});
