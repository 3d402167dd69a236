import { redirectDocument } from "react-router";
import type { MiddlewareFunction } from "react-router";

import { identityPath } from "#app/services/auth/return-to.ts";
import { clearTyped, readTyped, typedCookie } from "./typed-form.server.ts";
import { isFreshProof } from "#app/services/auth/sessions/identity-checks.server.ts";
import { requireUser, services } from "#app/services/http/context.ts";

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

/**
 * The same as the middleware of a page: asks before anything is typed. A form that is sent later asks in its action, which keeps what was
 * typed.
 */
export const proveOnOpening: MiddlewareFunction<Response> = ({ request, context, url }, next) => {
  if (request.method !== "POST") requireFresh(context, url);
  return next();
};

type AskedForm = {
  /** The path of the form, with the part of the page where it is: "/leads/notifications#chat". */
  path: string;
  /** Valid values of a form, or just which form it is. At most 2 kB. */
  fields: Record<string, string>;
};

/**
 * The same for actions, with which leads would be sent to somewhere new: throws the redirect unless the proof is recent. On the way back,
 * `takeTyped` has the fields, and the form asks for one more press.
 */
export function requireFreshForm(context: Context, { path, fields }: AskedForm): void {
  if (isFresh(context)) return;
  const { id: userId } = requireUser(context);
  const all = services(context);
  const form = { userId, path: path.split("#", 1).join(), fields };
  throw redirectDocument(identityPath(path), { headers: { "set-cookie": typedCookie(all, form, all.clock()) } });
}

type TakenForm = {
  /** Undefined when no form of this page waits. */
  fields: Record<string, string> | undefined;
  /** Those of the response: a form is filled in once. */
  headers: Headers;
};

/** What was typed at this page before the proof. */
export function takeTyped(context: Context, { request, url }: { request: Request; url: URL }): TakenForm {
  const all = services(context);
  const cookieHeader = request.headers.get("cookie");
  const of = { cookieHeader, userId: requireUser(context).id, path: url.pathname, now: all.clock() };
  const fields = readTyped(all, of);
  const headers = new Headers(fields && { "set-cookie": clearTyped(all) });
  return { fields, headers };
}
