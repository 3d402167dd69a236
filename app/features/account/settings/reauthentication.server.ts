import { redirectDocument } from "react-router";

import { identityPath } from "#app/features/account/return-to.ts";
import { isFreshProof } from "#app/services/auth/sessions/identity-checks.server.ts";
import { requireUser } from "#app/services/http/context.ts";

type Context = Parameters<typeof requireUser>[0];

/** Whether the user proved who they are in the last ten minutes. For actions, which answer in a way that keeps what was typed. */
export function isFresh(context: Context): boolean {
  return isFreshProof(requireUser(context).verifiedAt);
}

/**
 * Throws a redirect to the page that confirms who the user is, unless they did so in the last ten minutes. It leads back to `url`. Pages
 * with a sensitive form call it when they are opened, so that nothing typed is lost.
 */
export function requireFresh(context: Context, url: URL): void {
  // A document: the page isn't one of those that are hydrated.
  if (!isFresh(context)) throw redirectDocument(identityPath(url.pathname + url.search));
}
