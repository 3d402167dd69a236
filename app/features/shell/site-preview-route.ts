import { pictureResponse } from "#app/features/sharing/picture-response.server.ts";
import { sitePreview } from "#app/features/sharing/site-picture.server.ts";
import { services } from "#app/services/context.ts";
import { fileLoader, refuseWrites } from "#app/services/file-route.server.ts";

import type { Route } from "./+types/site-preview-route.ts";

export { refuseWrites as action };

/** What a chat shows of the pages of the site. */
export const loader = fileLoader(async (asked: Route.LoaderArgs) => {
  const address = services(asked.context).config.baseUrl.replace(/^https?:\/\//, "");
  return pictureResponse(asked, {
    ownerId: "site",
    kind: "site preview 1",
    shows: address,
    type: "image/png",
    draw: () => sitePreview(address),
  });
});
