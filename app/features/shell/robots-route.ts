import { services } from "#app/services/context.ts";
import { plainText, refuseWrites } from "#app/services/file-route.server.ts";

import type { Route } from "./+types/robots-route.ts";

export { refuseWrites as action };

/** RFC 9309. */
export function loader({ context }: Route.LoaderArgs) {
  const { baseUrl } = services(context).config;
  const lines = [
    "User-agent: *",
    ...ownTools.map((path) => `Disallow: ${path}`),
    "Allow: /",
    "",
    `Sitemap: ${baseUrl}/sitemap.xml`,
    "",
  ];
  const headers = { "cache-control": "public, max-age=3600" };
  return plainText(lines.join("\n"), { status: 200, headers });
}

/**
 * Each of these only leads a robot to the login page, each to another spelling of it. What says itself that it is not to be listed
 * is not here: who may not read it would never learn that.
 */
const ownTools = ["/profile", "/account", "/cards/", "/share/"];
