import { data } from "react-router";

import { services } from "#app/services/http/context.ts";
import { fileLoader, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/demo-code-route.ts";
import { qrPayload, initialDemoCard } from "./demo-card.ts";
import { drawDemoCode } from "./demo-code.ts";

export { rejectWrites as action };

/** The initial QR code of the live demo. It depends only on the configuration. */
export const loader = fileLoader(async ({ context }: Route.LoaderArgs) => {
  const { config } = services(context);
  const { payload, mode } = initialDemoCard();
  const code = drawDemoCode(qrPayload(payload, config.baseUrl), mode);
  // The site's address is too long for a QR code.
  if (code.kind !== "code") throw data(null, { status: 404 });
  return new Response(code.svg, {
    headers: { "content-type": "image/svg+xml", "cache-control": "public, max-age=3600" },
  });
});
