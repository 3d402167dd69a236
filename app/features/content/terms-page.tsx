import { built } from "#app/features/shell/built.ts";
import { siteHead } from "#app/features/shell/site-head.ts";
import { markSite, services } from "#app/services/context.ts";

import type { Route } from "./+types/terms-page.ts";
import { proseLinks } from "./prose-links.ts";
import { siteText } from "./site-texts.server.ts";
import { TextView } from "./text-view.tsx";

export const links = () => proseLinks;

export function loader({ context }: Route.LoaderArgs) {
  markSite(context);
  return siteText(services(context), { kind: "terms", hasPayments: built.payments });
}

export function meta(asked: Route.MetaArgs) {
  const description = "What you may expect of this site, and what is expected of you.";
  return siteHead(asked, { title: "Terms | Meishi", description });
}

export default function TermsPage({ loaderData }: Route.ComponentProps) {
  return <TextView text={loaderData} name="Terms" />;
}
