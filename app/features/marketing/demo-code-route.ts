import { data } from "react-router";

import { services } from "#app/services/context.ts";
import { fileLoader, refuseWrites } from "#app/services/file-route.server.ts";

import type { Route } from "./+types/demo-code-route.ts";
import { codeText, firstDemoCard } from "./demo-card.ts";
import { drawCode } from "./demo-code.ts";

export { refuseWrites as action };

/** The code on the live demo's card before anybody changes it. It is the same for everybody until the site is set up anew. */
export const loader = fileLoader(async ({ context }: Route.LoaderArgs) => {
  const { config } = services(context);
  const { payload, mode } = firstDemoCard(config.demo);
  const code = drawCode(codeText(payload, config.baseUrl), mode);
  // An address that no code can hold.
  if (code.kind !== "code") throw data(null, { status: 404 });
  return new Response(code.svg, {
    headers: { "content-type": "image/svg+xml", "cache-control": "public, max-age=3600" },
  });
});
