import { services } from "#app/services/http/context.ts";
import { plainTextResponse, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/robots-route.ts";

export { rejectWrites as action };

/** RFC 9309. */
export function loader({ context }: Route.LoaderArgs) {
  const { baseUrl } = services(context).config;
  const lines = [
    "User-agent: *",
    ...signedInPaths.map((path) => `Disallow: ${path}`),
    "Allow: /",
    "",
    `Sitemap: ${baseUrl}/sitemap.xml`,
    "",
  ];
  const headers = { "cache-control": "public, max-age=3600" };
  return plainTextResponse(lines.join("\n"), { status: 200, headers });
}

/**
 * Pages that redirect a crawler to the sign-in page, each with a different URL. Pages with `noindex` are not here: a crawler must read them to
 * learn that.
 */
const signedInPaths = ["/home", "/profile", "/account", "/cards", "/share/"];
