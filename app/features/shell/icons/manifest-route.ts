import { rejectWrites } from "#app/services/http/file-route.server.ts";

import { iconFiles, iconVersion } from "./icon-files.ts";

export { rejectWrites as action };

/** W3C Web App Manifest, for phones that add Meishi to their home screen. */
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

const backgroundColor = "#0e0f12";

const manifest = {
  id: "/profile",
  name: "Meishi",
  short_name: "Meishi",
  description: "Your business card and link page, to share by link, QR code or contact file.",
  lang: "en",
  dir: "ltr",
  // For owners; signed out it redirects to the sign-in page, which leads back.
  start_url: "/home",
  scope: "/",
  display: "standalone",
  background_color: backgroundColor,
  theme_color: backgroundColor,
  icons,
  shortcuts: [
    { name: "My QR", url: "/my-qr", icons },
    { name: "Share your profile", short_name: "Share", url: "/share/profile" },
    { name: "New business card", short_name: "New card", url: "/cards/edit" },
  ],
};
