import { useEffect } from "react";
import { Outlet, redirect, useLocation } from "react-router";

import type { DocumentHandle } from "#app/document.ts";
import { LateBanner } from "#app/features/shell/late-banner.tsx";
import { LoadingStatus } from "#app/features/shell/loading-status.tsx";
import { useScrollbar } from "#app/features/shell/scrollbar.ts";
import { shellFacts } from "#app/features/shell/shell.server.ts";
import { SiteShell } from "#app/features/shell/site-shell.tsx";
import { StaleNotice } from "#app/features/shell/stale-notice.tsx";
import { keepOfflinePage } from "#app/features/sharing/offline-worker.ts";
import { viewer } from "#app/services/context.ts";
import { appLinks } from "#app/ui/app-links.ts";

import type { Route } from "./+types/signed-in-layout.ts";
import { authPath } from "./return-to.ts";

export const handle: DocumentHandle = { document: "app" };

export const links = () => appLinks;

/** Every browser and proxy on the way: these pages are one person's. */
export const headers = () => ({ "cache-control": "no-store" });

/** Nobody gets past here without a session; after signing in they come back to where they wanted to go. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context, url }, next) => {
    if (!viewer(context)) throw redirect(authPath(url.pathname + url.search));
    return next();
  },
];

/** There so that a step from page to page asks the server too, and passes the gate. */
export function loader({ context }: Route.LoaderArgs) {
  return shellFacts(context);
}

export default function SignedInLayout({ loaderData }: Route.ComponentProps) {
  // The browser keeps it, beside the page.
  useEffect(keepOfflinePage, []);
  useScrollbar();
  // The editors have a bar of their own there.
  const hasBanner = useLocation().pathname === "/account";
  return (
    <SiteShell {...loaderData} after={hasBanner && <LateBanner />}>
      <LoadingStatus />
      <StaleNotice />
      <Outlet />
    </SiteShell>
  );
}
