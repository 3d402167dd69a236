import type { HexColor } from "#app/services/base/color-contrast.ts";

/**
 * One of our own backgrounds of a pass. `colors` are its darkest and lightest color, so that texts can be made readable on all of it: either
 * both are dark, or both are light.
 */
export type DefaultImage = {
  id: string;
  name: string;
  description: string;
  kind: "paper" | "ink" | "gradient" | "pattern";
  colors: readonly [HexColor, HexColor];
};

/** In pixels: 180 by 220 points at the highest resolution of a phone. */
export const passBackgroundSize = { width: 540, height: 660 } as const;
/** For tiles, sharp on a phone. */
export const smallBackgroundSize = { width: 270, height: 330 } as const;

/** In the order in which they are offered. */
export const defaultImages: readonly DefaultImage[] = [
  image("paper", ["washi", "Washi", "Warm handmade paper with long fibers"], ["#ded6c6", "#fbf9f4"]),
  image("paper", ["kozo", "Kozo", "White mulberry paper with pale flecks"], ["#e0dad0", "#fffefb"]),
  image("paper", ["laid", "Laid", "Writing paper with fine laid lines"], ["#e2dccb", "#f9f6ee"]),
  image("paper", ["sheets", "Sheets", "Sheets of paper, one above the other"], ["#dad3c4", "#fdfbf7"]),
  image("paper", ["folds", "Folds", "Paper folded into large facets"], ["#e6decd", "#fdfbf5"]),
  image("paper", ["kraft", "Kraft", "Brown packing paper with specks"], ["#ad9672", "#dcc8a8"]),
  image("ink", ["sumi", "Sumi", "One broad stroke of gray ink on paper"], ["#98938a", "#fbf9f4"]),
  image("ink", ["enso", "Enso", "An open circle, drawn in one stroke"], ["#131418", "#535761"]),
  image("ink", ["ridges", "Ridges", "Mountains in the mist, in thinned ink"], ["#adafb0", "#f6f3ec"]),
  image("ink", ["moon", "Moon", "A pale moon above dark hills"], ["#0d0f14", "#5d626c"]),
  image("ink", ["rain", "Rain", "Fine slanting rain at night"], ["#13151b", "#434954"]),
  image("ink", ["marble", "Marble", "Ink rings on water"], ["#15181f", "#404856"]),
  image("ink", ["bamboo", "Bamboo", "Stalks of bamboo in gray ink"], ["#c3c2b6", "#f8f5ed"]),
  image("ink", ["drops", "Drops", "Drops of ink that spread on paper"], ["#c6c3bb", "#faf8f2"]),
  image("gradient", ["dawn", "Dawn", "Pale rose to cream"], ["#ebc5b7", "#fbf3e6"]),
  image("gradient", ["dusk", "Dusk", "Violet to deep blue"], ["#171a33", "#624f76"]),
  image("gradient", ["tide", "Tide", "Sea green to midnight blue"], ["#0d2230", "#33717b"]),
  image("gradient", ["moss", "Moss", "Fresh green to dark forest"], ["#14241b", "#517150"]),
  image("gradient", ["plum", "Plum", "Plum to black"], ["#1a0f1c", "#683d62"]),
  image("gradient", ["indigo", "Indigo", "The blues of dyed cotton"], ["#121c3d", "#465d9e"]),
  image("gradient", ["copper", "Copper", "Copper to dark brown"], ["#24150f", "#885a3d"]),
  image("gradient", ["mist", "Mist", "Cool gray to white"], ["#d0d6dc", "#fbfcfb"]),
  image("pattern", ["waves", "Waves", "Seigaiha: the waves of a calm sea"], ["#14294a", "#38537e"]),
  image("pattern", ["hemp", "Hemp leaf", "Asanoha: stars of hemp leaves"], ["#dfd6c1", "#faf6ec"]),
  image("pattern", ["circles", "Seven treasures", "Shippo: circles that overlap"], ["#1f3a37", "#426b65"]),
  image("pattern", ["tortoise", "Tortoise shell", "Kikko: hexagons inside hexagons"], ["#17191f", "#383e4a"]),
  image("pattern", ["scales", "Scales", "Uroko: rows of triangles"], ["#e2dccc", "#f7f4ea"]),
  image("pattern", ["arrows", "Arrow feathers", "Yagasuri: the fletching of arrows"], ["#31284d", "#554a7c"]),
  image("pattern", ["steam", "Rising steam", "Tatewaku: lines that rise and swell"], ["#d5dcd6", "#f6f7f3"]),
  image("pattern", ["stripes", "Stripes", "Shima: narrow and wide stripes"], ["#1b2126", "#434c54"]),
];

function image(
  kind: DefaultImage["kind"],
  [id, name, description]: readonly [string, string, string],
  colors: DefaultImage["colors"],
): DefaultImage {
  return { id, name, description, kind, colors };
}

export function findDefaultImage(id: string): DefaultImage | undefined {
  return defaultImages.find((one) => one.id === id);
}

/** Raised when a drawing changes, so that browsers load the new one. */
export const drawingVersion = 1;

/** `raw` is a JPEG of 540 by 660 pixels, `small` of 270 by 330. */
export type DefaultImageSize = "raw" | "small";

/** "/pass-images/washi.jpg?v=1", or with a tint such as "#3a5f8c" "/pass-images/washi.jpg?v=1&tint=3a5f8c". */
export function defaultImageUrl(id: string, size: DefaultImageSize, tint: HexColor | "" = ""): string {
  const query = tint === "" ? "" : `&tint=${tint.slice(1)}`;
  return `/pass-images/${id}${size === "small" ? "-small" : ""}.jpg?v=${drawingVersion}${query}`;
}

/** The address of an upload under a tint, by its storage key prefix. */
export function uploadedImageUrl(key: string, tint: HexColor | ""): string {
  return `/pass-images/upload.jpg?key=${encodeURIComponent(key)}&tint=${tint.slice(1)}`;
}
