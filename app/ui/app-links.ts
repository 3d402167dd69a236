import sans from "@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url";
import mincho from "@fontsource/shippori-mincho/files/shippori-mincho-latin-600-normal.woff2?url";

import appCss from "./app.css?url";
import { sealIcon } from "./seal.tsx";
import siteCss from "./site.css?url";

/** What a page of the signed-in product asks for at once. */
export const appLinks = linksWith(appCss);

/** What a page around it asks for: the same with its own, smaller stylesheet. */
export const pageLinks = linksWith(siteCss);

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
    { rel: "icon", href: sealIcon },
  ];
}
