import { LegalTextView, readingLinks } from "#app/features/content/reading-frame.tsx";
import { pageHead } from "#app/features/shell/page-head.ts";
import { markSitePage, services } from "#app/services/http/context.ts";

import type { Route } from "./+types/privacy-page.ts";
import { legalText } from "./legal-texts.server.ts";

export const links = () => readingLinks;

export function loader({ context }: Route.LoaderArgs) {
  markSitePage(context);
  return legalText(services(context), "privacy");
}

export function meta(args: Route.MetaArgs) {
  const description = "What this site stores about visitors and owners, why, and for how long.";
  return pageHead(args, { title: "Privacy | Meishi", description });
}

export default function PrivacyPage({ loaderData }: Route.ComponentProps) {
  return <LegalTextView text={loaderData} name="Privacy" />;
}
