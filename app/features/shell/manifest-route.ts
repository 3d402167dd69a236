import { refuseWrites } from "#app/services/file-route.server.ts";

import { iconFiles, iconVersion } from "./icon-files.ts";

export { refuseWrites as action };

/** W3C Web App Manifest: what a phone shows of Meishi on its home screen. */
export function loader() {
  return new Response(JSON.stringify(manifest), {
    headers: {
      "content-type": "application/manifest+json; charset=utf-8",
      "cache-control": "public, max-age=86400",
    },
  });
}

const icons = iconFiles
  .filter(({ path }) => path.startsWith("/icons/"))
  .map(({ path, shape, sides, type }) => ({
    src: `${path}?v=${iconVersion}`,
    sizes: sides.map((side) => `${side}x${side}`).join(" "),
    type,
    purpose: shape === "mask" ? "maskable" : "any",
  }));

const ground = "#0e0f12";

const manifest = {
  id: "/profile",
  name: "Meishi",
  short_name: "Meishi",
  description: "Your business card and your page of links, to hand over by link, QR code or contact file.",
  lang: "en",
  dir: "ltr",
  // Whoever put it on their home screen has a profile; signed out it leads to the login page, and back.
  start_url: "/profile",
  scope: "/",
  display: "standalone",
  background_color: ground,
  theme_color: ground,
  icons,
  shortcuts: [
    { name: "Share your profile", short_name: "Share", url: "/share/profile" },
    { name: "New business card", short_name: "New card", url: "/cards/edit" },
  ],
};
