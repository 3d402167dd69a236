import { useEffect } from "react";
import { Outlet, redirect, useLocation } from "react-router";

import type { DocumentHandle } from "#app/document.ts";
import { CallToActionBanner } from "#app/features/shell/frame/call-to-action-banner.tsx";
import { LoadingStatus, StaleNotice } from "#app/features/shell/frame/page-status.tsx";
import { useScrollbar } from "#app/features/shell/frame/scrollbar.ts";
import { loadShell } from "#app/features/shell/shell.server.ts";
import { SiteShell } from "#app/features/shell/frame/site-shell.tsx";
import { viewer } from "#app/services/http/context.ts";
import { appDocumentLinks } from "#app/features/shell/document-links.ts";

import type { Route } from "./+types/signed-in-layout.ts";
import { authPath } from "./return-to.ts";

export const handle: DocumentHandle = { document: "app" };

export const links = () => appDocumentLinks;

/** Personal pages: no browser or proxy may cache them. */
export const headers = () => ({ "cache-control": "no-store" });

/** Redirects visitors to the login page, which leads back here. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context, url }, next) => {
    if (!viewer(context)) throw redirect(authPath(url.pathname + url.search));
    return next();
  },
];

/** Also makes client-side navigation request the server and pass the middleware. */
export function loader({ context }: Route.LoaderArgs) {
  return loadShell(context);
}

export default function SignedInLayout({ loaderData }: Route.ComponentProps) {
  // The service worker belongs to the browser, not to React.
  useEffect(registerServiceWorker, []);
  useScrollbar();
  // The editors have their own bar at the bottom.
  const hasBanner = useLocation().pathname === "/account";
  return (
    <SiteShell {...loaderData} after={hasBanner && <CallToActionBanner isSignedIn />}>
      <LoadingStatus />
      <StaleNotice />
      <Outlet />
    </SiteShell>
  );
}

/** Registers the service worker of the offline page when the browser is idle. Without workers or storage there is only no such page. */
function registerServiceWorker() {
  const schedule = globalThis.requestIdleCallback ?? setTimeout;
  schedule(() => void navigator.serviceWorker?.register("/sw.js").then(Boolean, Boolean));
}
