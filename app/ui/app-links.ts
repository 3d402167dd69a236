import sans from "@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url";
import mincho from "@fontsource/shippori-mincho/files/shippori-mincho-latin-600-normal.woff2?url";

import appCss from "./app.css?url";
import { sealIcon } from "./seal.tsx";

/** What every page but a visitor's asks for at once: the stylesheet, and the two fonts it would only find after reading it. */
export const appLinks = [
  { rel: "stylesheet", href: appCss },
  ...[sans, mincho].map((href) => ({
    rel: "preload",
    href,
    as: "font" as const,
    type: "font/woff2",
    crossOrigin: "anonymous" as const,
  })),
  { rel: "icon", href: sealIcon },
];
