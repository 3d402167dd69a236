import { printSheetTask } from "#app/features/sharing/images/drawing-tasks.server.ts";
import { imageResponse } from "#app/features/sharing/images/image-response.server.ts";
import { readPrintSheetOptions } from "#app/features/sharing/images/print-rules.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { services } from "#app/services/http/context.ts";
import { fileLoader, plainTextResponse, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/print-route.ts";
import { loadProfileImageData } from "./profile-image-data.server.ts";

export { rejectWrites as action };

/** A sheet of cards to print, with the profile's name and address: `?size=91x55&paper=a4&color=1f2937`. */
export const loader = fileLoader(async (args: Route.LoaderArgs) => {
  const sheet = readPrintSheetOptions(args.url.searchParams);
  if ("problem" in sheet) return plainTextResponse(sheet.problem, { status: 400 });
  const { workers } = services(args.context);
  const { ownerId, profileUrl, address, card, hasBranding } = await loadProfileImageData(args.context);
  const back = { text: markedUrl(profileUrl, "print"), address, hasBranding };
  return imageResponse(args, {
    ownerId,
    kind: "print 2",
    content: { card, back, sheet },
    type: "application/pdf",
    isPrivate: true,
    filename: "profile-cards.pdf",
    draw: () => workers.run(printSheetTask, { front: { ...card, logo: undefined }, back, sheet }),
  });
});
