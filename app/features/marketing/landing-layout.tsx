import { Outlet } from "react-router";

import type { DocumentHandle } from "#app/document.ts";
import { shellFacts } from "#app/features/shell/shell.server.ts";
import { SiteFrame } from "#app/features/shell/site-frame.tsx";
import { landingLinks } from "#app/ui/app-links.ts";

import type { Route } from "./+types/landing-layout.ts";
import { previewOf } from "./preview.ts";

export const handle: DocumentHandle = { document: "site" };

export const links = () => landingLinks;

export function loader({ context, url }: Route.LoaderArgs) {
  return { ...shellFacts(context), isAlone: previewOf(url.searchParams) !== undefined };
}

/** The landing page has a stylesheet of its own, and in a preview nothing around it. */
export default function LandingLayout({ loaderData: { isAlone, ...facts } }: Route.ComponentProps) {
  if (isAlone)
    return (
      <main id="content">
        <Outlet />
      </main>
    );
  return (
    <SiteFrame {...facts}>
      <Outlet />
    </SiteFrame>
  );
}
