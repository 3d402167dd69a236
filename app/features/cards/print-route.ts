import { loadOwnProfile } from "#app/features/profile/own-profile.server.ts";
import { pictureResponse } from "#app/features/sharing/picture-response.server.ts";
import { printSheet } from "#app/features/sharing/print-sheet.server.ts";
import { readSheet } from "#app/features/sharing/print-sheet.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { fileLoader, plainText, refuseWrites } from "#app/services/file-route.server.ts";

import type { Route } from "./+types/print-route.ts";
import { loadOwnCardFace } from "./own-card-face.server.ts";

export { refuseWrites as action };

/** Cards to print and cut: `?size=91x55&paper=a4&color=1f2937`. */
export const loader = fileLoader(async (asked: Route.LoaderArgs) => {
  const sheet = readSheet(asked.url.searchParams);
  if ("problem" in sheet) return plainText(sheet.problem, { status: 400 });
  const owner = await loadOwnProfile(asked.context);
  const own = await loadOwnCardFace(asked.context, { id: asked.params.id, owner });
  const { ownerId, cardUrl, address, face, stems, photos, hasBranding } = own;
  const back = { text: markedUrl(cardUrl, "qr"), address, hasBranding };
  return pictureResponse(asked, {
    ownerId,
    kind: "print 2",
    shows: { face, logo: stems.logoStem, back, sheet },
    type: "application/pdf",
    isPrivate: true,
    filename: "business-cards.pdf",
    draw: async () => printSheet({ front: { ...face, logo: (await photos()).logo }, back }, sheet),
  });
});
