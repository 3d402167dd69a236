/** What the seal is drawn from, on a square of `side`: a rounded square, and the M as one stroke. */
type Seal = Readonly<{ side: number; radius: number; stroke: number; red: string; paper: string; letter: string }>;

/**
 * - `seal`: with its round corners.
 * - `small`: the same for few pixels, with a bolder M whose uprights fill whole pixels of 16, 32 and 48.
 * - `tile`: to its edges, for systems that round the corners themselves.
 * - `mask`: to its edges, with the M well inside the circle that no mask cuts (W3C App Manifest: a radius of 40 %).
 */
export type IconShape = "seal" | "small" | "tile" | "mask";

/** The seal as a whole SVG. */
export function iconSvg(seal: Seal, shape: IconShape): string {
  const { side, radius, red, paper } = seal;
  const isTile = shape === "tile" || shape === "mask";
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}">` +
    `<rect width="${side}" height="${side}" rx="${isTile ? 0 : radius}" fill="${red}"/>` +
    `<path ${letterOf(seal, shape)} fill="none" stroke="${paper}" stroke-linecap="round" stroke-linejoin="round"/></svg>`
  );
}

function letterOf({ side, letter, stroke }: Seal, shape: IconShape): string {
  if (shape === "seal") return `d="${letter}" stroke-width="${stroke}"`;
  if (shape === "small") return `d="M6 18V7.5l6 6 6-6V18" stroke-width="3"`;
  // The M reaches from 8 to 17: its middle lies half a unit below that of the square.
  const middle = side / 2;
  const place = `translate(${middle} ${middle}) scale(${scales[shape]}) translate(-${middle} -${middle + 0.5})`;
  return `transform="${place}" d="${letter}" stroke-width="${stroke}"`;
}

const scales = { tile: 1.08, mask: 0.86 };
