import { Outlet } from "react-router";

import type { DocumentHandle } from "#app/document.ts";
import { siteDocumentLinks } from "#app/features/shell/document-links.ts";
import { SiteShell } from "#app/features/shell/frame/site-shell.tsx";
import { themeScript } from "#app/features/shell/theme/theme-script.ts";

import type { Route } from "./+types/not-found-layout.ts";
import { loadShell } from "#app/features/shell/shell.server.ts";

/** Without React: most requests for unknown pages come from robots. */
export const handle: DocumentHandle = { document: "plain", script: themeScript() };

export const links = () => siteDocumentLinks;

export function loader({ context }: Route.LoaderArgs) {
  return loadShell(context);
}

/** The frame of the site around the page for unknown addresses. */
export default function NotFoundLayout({ loaderData }: Route.ComponentProps) {
  return (
    <SiteShell {...loaderData}>
      <Outlet />
    </SiteShell>
  );
}
