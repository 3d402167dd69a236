import { data } from "react-router";

import { services } from "#app/services/context.ts";
import { pathWithoutEmails } from "#app/services/plain-text.ts";

/** Enough to find out which link is wrong. */
const MAX_LOGGED = 300;

/** Throws the 404, and leaves the path in the log. */
export function refusePath(context: Parameters<typeof services>[0], { pathname }: URL): never {
  services(context).log.warn({ path: pathWithoutEmails(pathname.slice(0, MAX_LOGGED)) }, "no such page");
  throw data(null, { status: 404 });
}
