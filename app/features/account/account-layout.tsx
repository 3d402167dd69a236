import { data, Outlet, redirect } from "react-router";

import type { DocumentHandle } from "#app/document.ts";
import { loadShell } from "#app/features/shell/shell.server.ts";
import { SiteShell } from "#app/features/shell/frame/site-shell.tsx";
import { siteDocumentLinks } from "#app/features/shell/document-links.ts";

import { themeScript } from "#app/features/shell/theme/theme-script.ts";

import type { Route } from "./+types/account-layout.ts";
import { services } from "#app/services/http/context.ts";

import { authPath, readReturnTo } from "#app/services/auth/return-to.ts";
import { plainScript } from "./sign-in/form-script.ts";

export const handle: DocumentHandle = { document: "plain", script: plainScript(themeScript()) };

export const links = () => siteDocumentLinks;

/** Typed values and tokens must not be cached, and search engines don't list these pages. */
export const headers = () => ({ "cache-control": "no-store", "x-robots-tag": "noindex" });

/**
 * The script of these pages can't read where a redirect leads, and following it would use up the toast of the next page. It gets the address
 * in a header instead.
 */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context, request, url, pattern }, next) => {
    const isPost = request.method === "POST";
    if (!services(context).config.providers.sso?.isOnly || isOpenWithSsoOnly(pattern, isPost)) return next();
    if (isPost) throw data(null, { status: 403 });
    throw redirect(authPath(readReturnTo(url.searchParams)));
  },
  async ({ request }, next) => {
    const response = await next();
    const location = response.headers.get("location");
    if (location === null || !request.headers.has("meishi-in-place")) return response;
    const headers = new Headers(response.headers);
    headers.delete("location");
    headers.set("meishi-location", location);
    return new Response(null, { status: 204, headers });
  },
];

/**
 * Where the operator wants single sign-on alone, every other sign-in method is refused. By the pattern of the route: the router also finds "/AUTH/" and
 * "/%61uth".
 */
function isOpenWithSsoOnly(pattern: string, isPost: boolean): boolean {
  // `/auth` itself shows the button.
  return openWithSsoOnly.has(pattern) || (!isPost && pattern === "auth");
}

const openWithSsoOnly = new Set([
  "signup",
  "auth/invitation",
  "auth/demo",
  "auth/with/:provider",
  "auth/verify",
  // Only asks; `/auth` refuses to sign in with the response, and `/auth/verify` accepts it.
  "auth/passkey",
  "auth/sign-out",
  "account/verify",
  "account/email",
  "account/email/restore",
  "dev/mail",
  "dev/mail/:name",
  "dev/mail/:name/mail.html",
]);

export function loader({ context }: Route.LoaderArgs) {
  return loadShell(context);
}

/** The sign-in pages: plain forms, which a small script submits in place. */
export default function AccountLayout({ loaderData }: Route.ComponentProps) {
  return (
    <SiteShell {...loaderData}>
      <Outlet />
    </SiteShell>
  );
}
