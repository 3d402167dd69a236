import type { IconShape } from "./icon-drawing.ts";

/** A file with the icon of the site. `sides` in pixels, none for a drawing; several for an .ico. */
export type IconFile = { path: string; shape: IconShape; sides: readonly number[]; type: string };

const png = "image/png";

/** Every file of the icon. Browsers and phones ask for the first four by themselves; the others stand in the manifest. */
export const iconFiles: readonly IconFile[] = [
  { path: "/favicon.ico", shape: "small", sides: [16, 32, 48], type: "image/x-icon" },
  { path: "/favicon.svg", shape: "seal", sides: [], type: "image/svg+xml" },
  { path: "/apple-touch-icon.png", shape: "tile", sides: [180], type: png },
  { path: "/apple-touch-icon-precomposed.png", shape: "tile", sides: [180], type: png },
  { path: "/icons/192.png", shape: "seal", sides: [192], type: png },
  { path: "/icons/512.png", shape: "seal", sides: [512], type: png },
  { path: "/icons/mask-192.png", shape: "mask", sides: [192], type: png },
  { path: "/icons/mask-512.png", shape: "mask", sides: [512], type: png },
];

/** Goes up when the icon is drawn in another way: `?v=` in the addresses that may be kept for ever. */
export const iconVersion = 1;
