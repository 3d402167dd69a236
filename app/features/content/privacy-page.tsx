import { built } from "#app/features/shell/built.ts";
import { siteHead } from "#app/features/shell/site-head.ts";
import { markSite, services } from "#app/services/context.ts";

import type { Route } from "./+types/privacy-page.ts";
import { proseLinks } from "./prose-links.ts";
import { siteText } from "./site-texts.server.ts";
import { TextView } from "./text-view.tsx";

export const links = () => proseLinks;

export function loader({ context }: Route.LoaderArgs) {
  markSite(context);
  return siteText(services(context), { kind: "privacy", hasPayments: built.payments });
}

export function meta(asked: Route.MetaArgs) {
  const description = "What is stored about visitors and owners here, why, and for how long.";
  return siteHead(asked, { title: "Privacy | Meishi", description });
}

export default function PrivacyPage({ loaderData }: Route.ComponentProps) {
  return <TextView text={loaderData} name="Privacy" />;
}
