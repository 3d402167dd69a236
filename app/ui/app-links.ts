import sans from "@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url";
import mincho from "@fontsource/shippori-mincho/files/shippori-mincho-latin-600-normal.woff2?url";

import appCss from "./app.css?url";
import { iconLinks } from "./icon-links.ts";
import landingCss from "./landing.css?url";
import siteCss from "./site.css?url";
import toastCss from "./toast.css?url";

/** What a page of the signed-in product asks for at once. */
export const appLinks = linksWith(appCss);

/** What a page around it asks for: the same with its own, smaller stylesheet. */
export const pageLinks = linksWith(siteCss);

/** What the landing page asks for: nothing but what it shows. */
export const landingLinks = linksWith(landingCss);

/** For a page that has a message to show, and perhaps no style for it. */
export const toastLink = { rel: "stylesheet", href: toastCss };

/** The stylesheet, and the two fonts that the browser would only find after reading it. */
function linksWith(stylesheet: string) {
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
