import { Outlet } from "react-router";

import type { DocumentHandle } from "#app/document.ts";
import { pageLinks } from "#app/ui/app-links.ts";

import type { Route } from "./+types/site-layout.ts";
import { shellFacts } from "./shell.server.ts";
import { SiteFrame } from "./site-frame.tsx";

export const handle: DocumentHandle = { document: "site" };

export const links = () => pageLinks;

export function loader({ context }: Route.LoaderArgs) {
  return shellFacts(context);
}

/** The pages around the product, open to everybody. */
export default function SiteLayout({ loaderData }: Route.ComponentProps) {
  return (
    <SiteFrame {...loaderData}>
      <Outlet />
    </SiteFrame>
  );
}
