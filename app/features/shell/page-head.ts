import type { MetaDescriptor } from "react-router";

/** The part of a route's `meta` arguments that the head needs. */
type PageMetaArgs = {
  matches: readonly ({ id: string; loaderData?: unknown } | undefined)[];
  location: { pathname: string };
};

type PageHeadText = { title: string; description: string };

/** The head of a site page: title, canonical URL without the query, and the preview for chats. `title` includes the site's name. */
export function pageHead({ matches, location }: PageMetaArgs, { title, description }: PageHeadText): MetaDescriptor[] {
  const texts = [
    { title },
    { name: "description", content: description },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
  ];
  const baseUrl = findBaseUrl(matches);
  if (baseUrl === undefined) return texts;
  const address = baseUrl + (location.pathname === "/" ? "/" : location.pathname.toLowerCase().replace(/\/+$/, ""));
  return [
    ...texts,
    { tagName: "link", rel: "canonical", href: address },
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: "Meishi" },
    { property: "og:url", content: address },
    { property: "og:image", content: `${baseUrl}${siteImage.path}` },
    { property: "og:image:width", content: String(siteImage.width) },
    { property: "og:image:height", content: String(siteImage.height) },
    { property: "og:image:alt", content: siteImage.alt },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

/** The preview image of the site. Increase the number in its URL when the drawing changes. */
export const siteImage = {
  path: "/preview.png?v=2",
  width: 1200,
  height: 630,
  alt: "One tap, endless connections. A business card on paper with a red seal.",
};

/** The base URL from the root loader; undefined if that failed. */
function findBaseUrl(matches: PageMetaArgs["matches"]): string | undefined {
  const facts = matches.find((match) => match?.id === "root")?.loaderData;
  const isKnown = typeof facts === "object" && facts !== null && "baseUrl" in facts;
  return isKnown && typeof facts.baseUrl === "string" ? facts.baseUrl : undefined;
}
