import { Outlet } from "react-router";

import type { DocumentHandle } from "#app/document.ts";
import { viewer } from "#app/services/context.ts";
import { pageLinks } from "#app/ui/app-links.ts";

import type { Route } from "./+types/site-layout.ts";
import { SiteShell } from "./site-shell.tsx";

export const handle: DocumentHandle = { document: "site" };

export const links = () => pageLinks;

export function loader({ context }: Route.LoaderArgs) {
  const person = viewer(context);
  return { viewer: person && { id: person.id } };
}

/** The pages around the product, open to everybody. */
export default function SiteLayout({ loaderData }: Route.ComponentProps) {
  return (
    <SiteShell viewer={loaderData.viewer} width="page">
      <Outlet />
    </SiteShell>
  );
}
