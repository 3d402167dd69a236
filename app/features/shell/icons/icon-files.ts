/** An icon file. `sides` in pixels: none for an SVG, several for an .ico. */
export type IconFile = { path: string; shape: IconShape; sides: readonly number[]; type: string };

const pngType = "image/png";

/** All icon files. Browsers and phones request the first four on their own; the others are in the manifest. */
export const iconFiles: readonly IconFile[] = [
  { path: "/favicon.ico", shape: "small", sides: [16, 32, 48], type: "image/x-icon" },
  { path: "/favicon.svg", shape: "seal", sides: [], type: "image/svg+xml" },
  { path: "/apple-touch-icon.png", shape: "tile", sides: [180], type: pngType },
  { path: "/apple-touch-icon-precomposed.png", shape: "tile", sides: [180], type: pngType },
  { path: "/icons/192.png", shape: "seal", sides: [192], type: pngType },
  { path: "/icons/512.png", shape: "seal", sides: [512], type: pngType },
  { path: "/icons/mask-192.png", shape: "mask", sides: [192], type: pngType },
  { path: "/icons/mask-512.png", shape: "mask", sides: [512], type: pngType },
];

/** The `?v=` of URLs that are cached for a year. Increase it when the drawing changes. */
export const iconVersion = 1;

/** The drawing of the seal, see seal-drawing.ts. */
type SealDrawing = Readonly<{
  side: number;
  radius: number;
  stroke: number;
  red: string;
  paper: string;
  letter: string;
}>;

/**
 * - `seal`: with rounded corners.
 * - `small`: for small sizes, with a bolder M whose verticals fall on whole pixels at 16, 32 and 48.
 * - `tile`: a full square, for systems that round the corners themselves.
 * - `mask`: a full square with the M inside the safe zone (W3C App Manifest: a circle with a radius of 40%).
 */
export type IconShape = "seal" | "small" | "tile" | "mask";

/** The seal as an SVG document. */
export function iconSvg(seal: SealDrawing, shape: IconShape): string {
  const { side, radius, red, paper } = seal;
  const isTile = shape === "tile" || shape === "mask";
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}">` +
    `<rect width="${side}" height="${side}" rx="${isTile ? 0 : radius}" fill="${red}"/>` +
    `<path ${letterAttributes(seal, shape)} fill="none" stroke="${paper}" stroke-linecap="round" stroke-linejoin="round"/></svg>`
  );
}

function letterAttributes({ side, letter, stroke }: SealDrawing, shape: IconShape): string {
  if (shape === "seal") return `d="${letter}" stroke-width="${stroke}"`;
  if (shape === "small") return `d="M6 18V7.5l6 6 6-6V18" stroke-width="3"`;
  // The M spans 8 to 17, so its center is half a unit below the center of the square.
  const middle = side / 2;
  const transform = `translate(${middle} ${middle}) scale(${letterScales[shape]}) translate(-${middle} -${middle + 0.5})`;
  return `transform="${transform}" d="${letter}" stroke-width="${stroke}"`;
}

const letterScales = { tile: 1.08, mask: 0.86 };

/**
 * Encodes an icon in several sizes as one `favicon.ico`: a header of 6 bytes, an entry of 16 bytes per image, then the images, which may be
 * PNG since Windows Vista. https://learn.microsoft.com/en-us/previous-versions/ms997538(v=msdn.10)
 */
export function encodeIco(images: readonly { side: number; png: Uint8Array }[]): Uint8Array<ArrayBuffer> {
  const start = 6 + 16 * images.length;
  const file = new Uint8Array(start + images.reduce((sum, { png }) => sum + png.length, 0));
  const view = new DataView(file.buffer);
  view.setUint16(2, 1, true); // an icon, not a cursor
  view.setUint16(4, images.length, true);
  let offset = start;
  for (const [index, { side, png }] of images.entries()) {
    const at = 6 + 16 * index;
    view.setUint8(at, side % 256); // 256 is written as 0
    view.setUint8(at + 1, side % 256);
    view.setUint16(at + 4, 1, true); // planes
    view.setUint16(at + 6, 32, true); // bits per pixel
    view.setUint32(at + 8, png.length, true);
    view.setUint32(at + 12, offset, true);
    file.set(png, offset);
    offset += png.length;
  }
  return file;
}
