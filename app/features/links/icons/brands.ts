import { findSite } from "#app/features/links/site-data.ts";

import { brandDrawings } from "./brand-drawings.ts";

/** One SVG path on a 24x24 grid, to be filled or, when `isLine`, stroked. */
export type BrandDrawing = { d: string; isLine: boolean };

/**
 * The icon of the brand at an address's host, if we have one. The set is larger than all other icons together, so browsers load it only
 * for the editor's preview.
 */
export function findBrandDrawing(address: string): BrandDrawing | undefined {
  const brand = findBrand(address);
  if (brand === undefined) return undefined;
  const line = linePaths[brand];
  return line === undefined ? { d: shapePaths[brand] ?? "", isLine: false } : { d: line, isLine: true };
}

/** "https://gist.github.com/ada" -> "github". Brands that share an icon are grouped: "calendar", "cup". */
export function findBrand(address: string): string | undefined {
  return findSite(address)?.icon;
}

const shapePaths: Partial<Record<string, string>> = brandDrawings;

/** Our own drawings of brands that simple-icons lacks, or draws with too many curves for a page of 10 kB. */
const linePaths: Partial<Record<string, string>> = {
  github:
    "M9.5 21v-4c-3.5 0-5-2-5-5.5 0-1.6.4-2.7 1.2-3.6-.2-1.1 0-2.3.4-3.4 1.4.1 2.4.7 3.3 1.5a10 10 0 0 1 5.2 0c.9-.8 1.9-1.4 3.3-1.5.4 1.1.6 2.3.4 3.4.8.9 1.2 2 1.2 3.6 0 3.5-1.5 5.5-5 5.5v4M9.3 18.8c-2.8.6-3.3-1.8-4.8-2.3",
  linkedin: "M5.5 10v9M5.5 5.5v.01M11 19v-9M11 14c0-5 7.5-5.5 7.5.2V19",
  x: "M4 4h4.3L20 20h-4.3zM19.5 4l-6.7 7.3M10.7 13.2 4.5 20",
  instagram:
    "M8 3.5h8A4.5 4.5 0 0 1 20.5 8v8a4.5 4.5 0 0 1-4.5 4.5H8A4.5 4.5 0 0 1 3.5 16V8A4.5 4.5 0 0 1 8 3.5M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0M17 7v.01",
  facebook: "M16 3.5h-1.5A3.5 3.5 0 0 0 11 7v14M7.5 12H15",
  spotify:
    "M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0M7 9.3c3.5-1 7.2-.7 10.3 1M7.7 12.5c2.9-.8 5.9-.5 8.5.9M8.3 15.5c2.2-.6 4.5-.3 6.5.7",
  slack: "M9.5 4v9.5M14.5 10.5V20M4 14.5h9.5M10.5 9.5H20",
  whatsapp:
    "M3.5 20.5l1.4-4.3a8.5 8.5 0 1 1 3 3zM9 8.5c-.6 3.5 3 7 6.5 6.5l.5-1.7-2.3-.9-1 1c-1-.5-1.7-1.2-2.1-2.1l1-1L10.7 8z",
  wordpress: "M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0M6.5 9l3 8L12 10l2.5 7 3-8",
  vk: "M4 8c.5 5 3.5 8.5 8 8.5V8M12 12.3c3 0 5-2 6-4.3M12 12.3c3 0 5.5 1.7 7 4.2",
  dribbble:
    "M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0M8.5 3.8c3 3.4 5.5 8.5 6.7 16.7M3 11c6 .3 11.5-.8 15.5-5M6 18.5c2.5-5 8-8 15-6",
  behance: "M3 6v12h5a3.3 3.3 0 0 0 .8-6.5A2.9 2.9 0 0 0 8 6zM3 11.5h5.5M14.2 14h6.6a3.3 3.3 0 1 0-1 2.5M15 7h5",
  medium: "M10 12a3.7 3.7 0 1 1-7.4 0 3.7 3.7 0 0 1 7.4 0M17 12c0 4.5-3.5 4.5-3.5 0s3.5-4.5 3.5 0M21 8.5v7",
  reddit:
    "M20 14.5c0 3.3-3.6 5.5-8 5.5s-8-2.2-8-5.5S7.6 9 12 9s8 2.2 8 5.5M12 9l1-4.5 4 1M19 5.5a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0M9 13v.01M15 13v.01M9 16.5c1.8 1.2 4.2 1.2 6 0",
  snapchat:
    "M12 3.5c3 0 4.5 2.2 4.5 5v2l2-.5-1.5 2.5c.8 1.8 2 2.9 3.7 3.5-.7 1-1.7 1.1-2.9 1.3l-.5 1.4c-1.8-.4-2.8.1-3.6.8a3 3 0 0 1-3.4 0c-.8-.7-1.8-1.2-3.6-.8l-.5-1.4c-1.2-.2-2.2-.3-2.9-1.3 1.7-.6 2.9-1.7 3.7-3.5L5.5 10l2 .5v-2c0-2.8 1.5-5 4.5-5",
  signal: "M4 20.5l1-4A8.5 8.5 0 1 1 8 19.5z",
  notion: "M4 5l12-1.5L20 6v14.5H7L4 17.5zM9 17V9.5l6.5 7.5V9.5",
  researchgate: "M4 17V7h2.5a2.5 2.5 0 0 1 0 5H4M6.5 12 9 17M20 9a3.3 5 0 1 0 0 6v-3h-2.5",
  calendar: "M4 5.5h16v15H4zM4 10h16M8.5 3v4M15.5 3v4M9 15l2 2 4-4",
  cup: "M4 8h13v6a5 5 0 0 1-5 5H9a5 5 0 0 1-5-5zM17 9.5h1.5a2.5 2.5 0 0 1 0 5H17M8 3v2M12.5 3v2",
  note: "M9 18V6l10-2v12M9 18a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0M19 16a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0",
  mic: "M12 3a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3M5.5 11a6.5 6.5 0 0 0 13 0M12 17.5V21M8.5 21h7",
  pin: "M12 21s-7-5.5-7-11a7 7 0 0 1 14 0c0 5.5-7 11-7 11M14.5 10a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0",
  store:
    "M4 9.5 5.5 4h13L20 9.5M4 9.5a2.7 2.7 0 0 0 5.3 0 2.7 2.7 0 0 0 5.4 0 2.7 2.7 0 0 0 5.3 0M5.5 13v7.5h13V13M10 20.5v-5h4v5",
  book: "M12 6.5C10 5 7 4.5 3.5 5v14c3.5-.5 6.5 0 8.5 1.5 2-1.5 5-2 8.5-1.5V5c-3.5-.5-6.5 0-8.5 1.5M12 6.5v14",
  video: "M3.5 6.5h12v11h-12zM15.5 10.5l5-3v9l-5-3",
};
