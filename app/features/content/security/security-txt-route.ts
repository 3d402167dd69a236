import { data } from "react-router";

import { services } from "#app/services/http/context.ts";
import { fileLoader, plainTextResponse, rejectWrites } from "#app/services/http/file-route.server.ts";

import type { Route } from "./+types/security-txt-route.ts";

export { rejectWrites as action };

/** RFC 9116. 404 without an operator's address, because the file must name a contact. */
export const loader = fileLoader(({ context }: Route.LoaderArgs) => {
  const { config, siteContent, clock } = services(context);
  const { email } = siteContent.operator;
  if (!email) throw data(null, { status: 404 });
  const lines = [
    `Contact: mailto:${encodeURI(email)}`,
    // RFC 9116 §2.5.5: how long the file can be relied on. It is generated per request from the current configuration.
    `Expires: ${new Date(nextMidnight(clock()) + validMs).toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${config.baseUrl}/.well-known/security.txt`,
    `Policy: ${config.baseUrl}/security-overview#report`,
  ];
  const text = plainTextResponse(`${lines.join("\n")}\n`, { status: 200, headers: { "cache-control": "no-cache" } });
  return Promise.resolve(text);
});

const dayMs = 86_400_000;
const validMs = 30 * dayMs;

/** The same time all day, so that the file doesn't change with each request. */
function nextMidnight(now: number): number {
  return Math.ceil(now / dayMs) * dayMs;
}
