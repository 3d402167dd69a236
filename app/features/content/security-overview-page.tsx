import { built } from "#app/features/shell/built.ts";
import { siteHead } from "#app/features/shell/site-head.ts";
import { markSite, services } from "#app/services/context.ts";

import type { Route } from "./+types/security-overview-page.ts";
import { proseLinks } from "./prose-links.ts";
import { SecurityView } from "./security-view.tsx";
import { installationOf } from "./site-texts.server.ts";

export const links = () => proseLinks;

export function loader({ context }: Route.LoaderArgs) {
  markSite(context);
  const all = services(context);
  return {
    installation: installationOf(all, { hasPayments: built.payments }),
    isHttps: all.config.baseUrl.startsWith("https:"),
  };
}

export function meta(asked: Route.MetaArgs) {
  const description =
    "What protects accounts and visitors here, how it is done, what is not there, and how to report a weakness.";
  return siteHead(asked, { title: "Security | Meishi", description });
}

export default function SecurityOverviewPage({ loaderData }: Route.ComponentProps) {
  return <SecurityView {...loaderData} />;
}
