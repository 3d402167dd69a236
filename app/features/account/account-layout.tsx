import { Outlet } from "react-router";

import type { DocumentHandle } from "#app/document.ts";
import { loadShell } from "#app/features/shell/shell.server.ts";
import { SiteShell } from "#app/features/shell/frame/site-shell.tsx";
import { siteDocumentLinks } from "#app/features/shell/document-links.ts";

import type { Route } from "./+types/account-layout.ts";

export const handle: DocumentHandle = { document: "plain" };

export const links = () => siteDocumentLinks;

/** Typed values and tokens must not be cached, and search engines don't list these pages. */
export const headers = () => ({ "cache-control": "no-store", "x-robots-tag": "noindex" });

export function loader({ context }: Route.LoaderArgs) {
  return loadShell(context);
}

/** The sign-in pages: plain forms without script. */
export default function AccountLayout({ loaderData }: Route.ComponentProps) {
  return (
    <SiteShell {...loaderData}>
      <Outlet />
    </SiteShell>
  );
}
