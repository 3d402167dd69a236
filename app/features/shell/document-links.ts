import sans from "@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url";
import mincho from "@fontsource/shippori-mincho/files/shippori-mincho-latin-600-normal.woff2?url";

import appCss from "#app/features/shell/styles/app.css?url";
import siteCss from "#app/features/shell/styles/site.css?url";
import toastCss from "#app/ui/styles/toast.css?url";

import { iconLinks } from "./seal-drawing.ts";

/** For pages of the signed-in product. */
export const appDocumentLinks = documentLinks(appCss);

/** For the pages around the product, which have a smaller stylesheet. */
export const siteDocumentLinks = documentLinks(siteCss);

/** For a page that shows a toast and may have no styles for it. */
export const toastStylesheet = { rel: "stylesheet", href: toastCss };

/** The stylesheet, the icons, and the two fonts that the browser would otherwise find only after reading the stylesheet. */
export function documentLinks(stylesheet: string) {
  return [
    { rel: "stylesheet", href: stylesheet },
    ...[sans, mincho].map((href) => ({
      rel: "preload",
      href,
      as: "font" as const,
      type: "font/woff2",
      crossOrigin: "anonymous" as const,
    })),
    ...iconLinks,
  ];
}
