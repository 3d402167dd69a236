import { fitText } from "#app/services/images/fit-text.server.ts";
import type { TextStyle } from "#app/services/images/fit-text.server.ts";
import { linePath } from "#app/services/images/text-outlines.server.ts";
import { initials } from "#app/ui/components/characters.ts";

import { sealDrawing } from "#app/features/shell/seal-drawing.ts";

/** A position in pixels. */
export type SvgPoint = { x: number; y: number };

/** A measured part of an SVG; `at` draws it with its upper left corner at a position. */
export type SvgPart = { width: number; height: number; size: number; at: (point: SvgPoint) => string };

export type Align = "start" | "middle" | "end";

/** Text as a part of the width `style.width`, aligned within it. */
export async function textPart(text: string, style: TextStyle & { align?: Align }): Promise<SvgPart> {
  const fitted = await fitText(text, style);
  const { width, height, size } = fitted;
  const shift = (taken: number) => (style.width - taken) * alignShares[style.align ?? "start"];
  if (fitted.kind === "empty") return { width: 0, height: 0, size, at: () => "" };
  if (fitted.kind === "image") {
    const { png } = fitted;
    return { width, height, size, at: ({ x, y }) => imageSvg(png, { x: x + shift(width), y, width, height }) };
  }
  const { lines } = fitted;
  const step = height / lines.length;
  return {
    width,
    height,
    size,
    at: ({ x, y }) => {
      // Centers capitals, which are 0.72 em high in both typefaces, in the line.
      const paths = lines.map((line, index) =>
        linePath(line, { x: x + shift(line.width * size), y: y + step * (index + 0.5) + 0.36 * size, size }),
      );
      return `<path fill="${style.color}" d="${paths.join("")}"/>`;
    },
  };
}

const alignShares: Record<Align, number> = { start: 0, middle: 0.5, end: 1 };

/** An image with its proportions kept, centered in a box. */
function imageSvg(png: Uint8Array, box: SvgPoint & { width: number; height: number }): string {
  const { x, y, width, height } = box;
  return `<image x="${x}" y="${y}" width="${width}" height="${height}" href="data:image/png;base64,${Buffer.from(png).toString("base64")}"/>`;
}

/** A logo fitted in a box, at one end of its upper edge or in the middle. */
export function logoSvg(
  png: Uint8Array,
  box: SvgPoint & { width: number; height: number; align: "xMin" | "xMid" | "xMax" },
): string {
  const { x, y, width, height, align } = box;
  return (
    `<image x="${x}" y="${y}" width="${width}" height="${height}" preserveAspectRatio="${align}YMin meet" ` +
    `href="data:image/png;base64,${Buffer.from(png).toString("base64")}"/>`
  );
}

export function sealSvg({ x, y }: SvgPoint, side: number): string {
  const { radius, stroke, red, paper, letter } = sealDrawing;
  return (
    `<g transform="translate(${x} ${y}) scale(${side / sealDrawing.side})"><rect width="24" height="24" rx="${radius}" fill="${red}"/>` +
    `<path d="${letter}" fill="none" stroke="${paper}" stroke-width="${stroke}" stroke-linecap="round" stroke-linejoin="round"/></g>`
  );
}

type PortraitColors = { background: string; letters: string };

/** A round photo (JPEG), or initials on a background. `x` and `y` are its center. */
export async function portraitSvg(
  { name, photo }: { name: string; photo: Uint8Array | undefined },
  { x, y, radius, colors }: SvgPoint & { radius: number; colors: PortraitColors },
): Promise<string> {
  const background = `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colors.background}"/>`;
  if (photo) {
    const side = 2 * radius;
    return (
      `${background}<clipPath id="round"><circle cx="${x}" cy="${y}" r="${radius}"/></clipPath>` +
      `<image clip-path="url(#round)" x="${x - radius}" y="${y - radius}" width="${side}" height="${side}" preserveAspectRatio="xMidYMid slice" ` +
      `href="data:image/jpeg;base64,${Buffer.from(photo).toString("base64")}"/>`
    );
  }
  return background + (await initialsSvg(name, { x, y, radius, color: colors.letters }));
}

async function initialsSvg(
  name: string,
  { x, y, radius, color }: SvgPoint & { radius: number; color: string },
): Promise<string> {
  const width = 1.5 * radius;
  const size = 0.78 * radius;
  const letters = await textPart(initials(name), {
    face: "name",
    size,
    smallest: size / 2,
    width,
    color,
    align: "middle",
    lineHeight: 1,
  });
  return letters.at({ x: x - width / 2, y: y - letters.height / 2 });
}

/** The same filling one side of a box with round corners, `side.x` to `side.x + side.width`. */
export async function coverSvg(
  { name, photo }: { name: string; photo: Uint8Array | undefined },
  { box, side, colors }: { box: SvgBox & { radius: number }; side: SvgBox; colors: PortraitColors },
): Promise<string> {
  const area = `x="${side.x}" y="${side.y}" width="${side.width}" height="${side.height}"`;
  const clip =
    `<clipPath id="card"><rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="${box.radius}"/></clipPath>` +
    // A clip path inside another one: the image is cut at the card's corners and at its own side.
    `<clipPath id="side" clip-path="url(#card)"><rect ${area}/></clipPath>`;
  const background = `${clip}<rect clip-path="url(#side)" ${area} fill="${colors.background}"/>`;
  if (photo)
    return (
      `${background}<image clip-path="url(#side)" ${area} preserveAspectRatio="xMidYMid slice" ` +
      `href="data:image/jpeg;base64,${Buffer.from(photo).toString("base64")}"/>`
    );
  const middle = { x: side.x + side.width / 2, y: side.y + side.height / 2, radius: side.width / 2.6 };
  return background + (await initialsSvg(name, { ...middle, color: colors.letters }));
}

export type SvgBox = SvgPoint & { width: number; height: number };

/** A whole SVG document with a background. */
export function svgDocument(
  { width, height, ground }: { width: number; height: number; ground: string },
  body: string,
) {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<rect width="${width}" height="${height}" fill="${ground}"/>${body}</svg>`
  );
}
