import { pictureResponse } from "#app/features/sharing/picture-response.server.ts";
import { printSheet } from "#app/features/sharing/print-sheet.server.ts";
import { readSheet } from "#app/features/sharing/print-sheet.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { fileLoader, plainText, refuseWrites } from "#app/services/file-route.server.ts";

import type { Route } from "./+types/print-route.ts";
import { loadOwnFace } from "./own-face.server.ts";

export { refuseWrites as action };

/** Cards with the profile's name and address to print and cut: `?size=91x55&paper=a4&color=1f2937`. */
export const loader = fileLoader(async (asked: Route.LoaderArgs) => {
  const sheet = readSheet(asked.url.searchParams);
  if ("problem" in sheet) return plainText(sheet.problem, { status: 400 });
  const { ownerId, profileUrl, address, face, hasBranding } = await loadOwnFace(asked.context);
  const back = { text: markedUrl(profileUrl, "qr"), address, hasBranding };
  return pictureResponse(asked, {
    ownerId,
    kind: "print 1",
    shows: { face, back, sheet },
    type: "application/pdf",
    isPrivate: true,
    filename: "profile-cards.pdf",
    draw: () => printSheet({ front: { ...face, logo: undefined }, back }, sheet),
  });
});
