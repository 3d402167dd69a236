import { markSite, services } from "#app/services/context.ts";

import type { Route } from "./+types/landing-page.ts";
import { Features } from "./features.tsx";
import { Hero } from "./hero.tsx";
import { HowItWorks } from "./how-it-works.tsx";

export function loader({ context }: Route.LoaderArgs) {
  const { config } = services(context);
  markSite(context, { asks: ["screen", "theme"] });
  return { hasSample: config.demo, url: `${config.baseUrl}/` };
}

export function meta({ loaderData }: Route.MetaArgs) {
  const title = "One tap, endless connections | Meishi";
  const description =
    "A business card you hand over by link, QR code or contact file, and a page that holds everything else.";
  return [
    { title },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: loaderData.url },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:type", content: "website" },
    { property: "og:url", content: loaderData.url },
  ];
}

export default function LandingPage({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <Hero hasSample={loaderData.hasSample} />
      <Features />
      <HowItWorks />
    </>
  );
}
