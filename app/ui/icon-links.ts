import { sealIcon } from "./seal.tsx";

/** The icon in the page itself, so that no request is made for it; what only a phone asks for when somebody puts the site on their home screen. */
export const iconLinks = [
  { rel: "icon", href: sealIcon },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];
