import type { MetaDescriptor } from "react-router";

/** What a page's `meta` is called with, as far as the head depends on it. */
type Asked = { matches: readonly ({ id: string; loaderData?: unknown } | undefined)[]; location: { pathname: string } };

type Head = { title: string; description: string };

/**
 * The head of a page of the site: its one address whatever stands in the query, and what a chat shows of it. The `title` as browsers
 * show it, with the name of the site.
 */
export function siteHead({ matches, location }: Asked, { title, description }: Head): MetaDescriptor[] {
  const texts = [
    { title },
    { name: "description", content: description },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
  ];
  const baseUrl = baseUrlOf(matches);
  if (baseUrl === undefined) return texts;
  const address = baseUrl + (location.pathname === "/" ? "/" : location.pathname.toLowerCase().replace(/\/+$/, ""));
  return [
    ...texts,
    { tagName: "link", rel: "canonical", href: address },
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: "Meishi" },
    { property: "og:url", content: address },
    { property: "og:image", content: `${baseUrl}${sitePicture.path}` },
    { property: "og:image:width", content: String(sitePicture.width) },
    { property: "og:image:height", content: String(sitePicture.height) },
    { property: "og:image:alt", content: sitePicture.words },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

/** The picture that stands for the site; the number in its address goes up when it is drawn in another way. */
export const sitePicture = {
  path: "/preview.png?v=1",
  width: 1200,
  height: 630,
  words: "One tap, endless connections. A business card on paper with a red seal.",
};

/** The root's loader says it; where that failed there is none. */
function baseUrlOf(matches: Asked["matches"]): string | undefined {
  const facts = matches.find((match) => match?.id === "root")?.loaderData;
  const isKnown = typeof facts === "object" && facts !== null && "baseUrl" in facts;
  return isKnown && typeof facts.baseUrl === "string" ? facts.baseUrl : undefined;
}
