import { Outlet } from "react-router";

import type { DocumentHandle } from "#app/document.ts";
import { SiteShell } from "#app/features/shell/site-shell.tsx";
import { viewer } from "#app/services/context.ts";
import { pageLinks } from "#app/ui/app-links.ts";

import type { Route } from "./+types/account-layout.ts";

export const handle: DocumentHandle = { document: "plain" };

export const links = () => pageLinks;

/** What was typed here, and whose link it was, is kept nowhere on the way; and no search engine needs to know these pages. */
export const headers = () => ({ "cache-control": "no-store", "x-robots-tag": "noindex" });

export function loader({ context }: Route.LoaderArgs) {
  const person = viewer(context);
  return { viewer: person && { id: person.id } };
}

/** Signing up, in and out: plain forms, no script. */
export default function AccountLayout({ loaderData }: Route.ComponentProps) {
  return (
    <SiteShell viewer={loaderData.viewer} width="page">
      <Outlet />
    </SiteShell>
  );
}
