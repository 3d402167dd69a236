import { Outlet } from "react-router";

import type { DocumentHandle } from "#app/document.ts";
import { findProfileGaps } from "#app/features/profile/own-profile.server.ts";
import { findUnfinishedPass } from "#app/features/wallet/updates/unfinished-data.server.ts";
import { siteDocumentLinks } from "./document-links.ts";

import type { Route } from "./+types/site-layout.ts";
import { loadShell } from "./shell.server.ts";
import { HydratedSiteShell } from "#app/features/shell/frame/site-shell.tsx";

export const handle: DocumentHandle = { document: "site" };

export const links = () => siteDocumentLinks;

export async function loader({ context }: Route.LoaderArgs) {
  const banner = { gaps: await findProfileGaps(context), hasUnfinishedPass: await findUnfinishedPass(context) };
  return { ...(await loadShell(context)), ...banner };
}

/** The marketing, pricing and documentation pages. */
export default function SiteLayout({ loaderData }: Route.ComponentProps) {
  return (
    <HydratedSiteShell {...loaderData}>
      <Outlet />
    </HydratedSiteShell>
  );
}
