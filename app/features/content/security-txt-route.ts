import { data } from "react-router";

import { services } from "#app/services/context.ts";
import { fileLoader, plainText, refuseWrites } from "#app/services/file-route.server.ts";

import type { Route } from "./+types/security-txt-route.ts";

export { refuseWrites as action };

/** RFC 9116. Where the operator gave no address there is none: a file without a contact would be a dead end. */
export const loader = fileLoader(({ context }: Route.LoaderArgs) => {
  const { config, content, clock } = services(context);
  const { email } = content.operator;
  if (!email) throw data(null, { status: 404 });
  const lines = [
    `Contact: mailto:${encodeURI(email)}`,
    // §2.5.5: until when the file may be relied on. It is made anew for each request, from what the operator says now.
    `Expires: ${new Date(nextMidnight(clock()) + VALID_MS).toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${config.baseUrl}/.well-known/security.txt`,
    `Policy: ${config.baseUrl}/security-overview#report`,
  ];
  const text = plainText(`${lines.join("\n")}\n`, { status: 200, headers: { "cache-control": "no-cache" } });
  return Promise.resolve(text);
});

const DAY_MS = 86_400_000;
const VALID_MS = 30 * DAY_MS;

/** The same for a whole day, so that programs that compare see a change only when there is one. */
function nextMidnight(now: number): number {
  return Math.ceil(now / DAY_MS) * DAY_MS;
}
