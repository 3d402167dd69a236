import { Outlet } from "react-router";

import type { DocumentHandle } from "#app/document.ts";
import { findProfileGaps } from "#app/features/profile/own-profile.server.ts";
import { documentLinks } from "#app/features/shell/document-links.ts";
import { HydratedSiteShell } from "#app/features/shell/frame/site-shell.tsx";
import { loadShell } from "#app/features/shell/shell.server.ts";
import { findUnfinishedPass } from "#app/features/wallet/updates/unfinished-data.server.ts";

import type { Route } from "./+types/landing-layout.ts";
import { readShowcase } from "./hero/showcase.ts";
import landingCss from "./styles/landing.css?url";

export const handle: DocumentHandle = { document: "site" };

const landingLinks = documentLinks(landingCss);

export const links = () => landingLinks;

export async function loader({ context, url }: Route.LoaderArgs) {
  const banner = { gaps: await findProfileGaps(context), hasUnfinishedPass: await findUnfinishedPass(context) };
  return { ...(await loadShell(context)), ...banner, isShowcase: readShowcase(url.searchParams) !== undefined };
}

/** The landing page has its own stylesheet; a showcase has no header or footer. */
export default function LandingLayout({ loaderData: { isShowcase, ...facts } }: Route.ComponentProps) {
  if (isShowcase)
    return (
      <main id="content">
        <Outlet />
      </main>
    );
  return (
    <HydratedSiteShell {...facts}>
      <Outlet />
    </HydratedSiteShell>
  );
}
