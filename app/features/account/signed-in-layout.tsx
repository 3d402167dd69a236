import { useEffect } from "react";
import { Outlet, redirect } from "react-router";

import type { DocumentHandle } from "#app/document.ts";
import { SiteShell } from "#app/features/shell/site-shell.tsx";
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
  const person = viewer(context);
  return { viewer: person && { id: person.id } };
}

export default function SignedInLayout({ loaderData }: Route.ComponentProps) {
  // The browser keeps it, beside the page.
  useEffect(keepOfflinePage, []);
  return (
    <SiteShell viewer={loaderData.viewer}>
      <Outlet />
    </SiteShell>
  );
}
