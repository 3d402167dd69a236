import { sitePreviewTask } from "#app/features/sharing/images/drawing-tasks.server.ts";
import { imageResponse } from "#app/features/sharing/images/image-response.server.ts";
import { services } from "#app/services/http/context.ts";
import { fileLoader, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/site-preview-route.ts";

export { rejectWrites as action };

/** The preview image of the site's pages, shown by chats and social networks. */
export const loader = fileLoader(async (args: Route.LoaderArgs) => {
  const { config, workers } = services(args.context);
  const address = config.baseUrl.replace(/^https?:\/\//, "");
  return imageResponse(args, {
    ownerId: "site",
    kind: "site preview 2",
    content: address,
    type: "image/png",
    draw: () => workers.run(sitePreviewTask, address),
  });
});
