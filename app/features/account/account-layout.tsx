import { Outlet } from "react-router";

import type { DocumentHandle } from "#app/document.ts";
import { shellFacts } from "#app/features/shell/shell.server.ts";
import { SiteShell } from "#app/features/shell/site-shell.tsx";
import { pageLinks } from "#app/ui/app-links.ts";

import type { Route } from "./+types/account-layout.ts";

export const handle: DocumentHandle = { document: "plain" };

export const links = () => pageLinks;

/** What was typed here, and whose link it was, is kept nowhere on the way; and no search engine needs to know these pages. */
export const headers = () => ({ "cache-control": "no-store", "x-robots-tag": "noindex" });

export function loader({ context }: Route.LoaderArgs) {
  return shellFacts(context);
}

/** Signing up, in and out: plain forms, no script. */
export default function AccountLayout({ loaderData }: Route.ComponentProps) {
  return (
    <SiteShell {...loaderData}>
      <Outlet />
    </SiteShell>
  );
}
