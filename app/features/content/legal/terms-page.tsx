import { LegalTextView, readingLinks } from "#app/features/content/reading-frame.tsx";
import { pageHead } from "#app/features/shell/page-head.ts";
import { markSitePage, services } from "#app/services/http/context.ts";

import type { Route } from "./+types/terms-page.ts";
import { legalText } from "./legal-texts.server.ts";

export const links = () => readingLinks;

export function loader({ context }: Route.LoaderArgs) {
  markSitePage(context);
  return legalText(services(context), "terms");
}

export function meta(args: Route.MetaArgs) {
  const description = "What you can expect from this site, and what is expected of you.";
  return pageHead(args, { title: "Terms | Meishi", description });
}

export default function TermsPage({ loaderData }: Route.ComponentProps) {
  return <LegalTextView text={loaderData} name="Terms" />;
}
