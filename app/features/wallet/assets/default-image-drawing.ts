import { gradientDrawings } from "./drawings/gradient-drawings.ts";
import { inkDrawings } from "./drawings/ink-drawings.ts";
import { paperDrawings } from "./drawings/paper-drawings.ts";
import { patternDrawings } from "./drawings/pattern-drawings.ts";
import { height, width } from "./drawings/svg-drawing.ts";

/** How opaque a tint is above the image. */
export const tintOpacity = 0.3;

/** One of our images as SVG, of 540 by 660, under a tint such as "#3a5f8c"; undefined for an unknown id. */
export function drawDefaultImage(id: string, tint = ""): string | undefined {
  const draw = Object.hasOwn(drawings, id) ? drawings[id] : undefined;
  if (!draw) return undefined;
  const tinted = tint && `<rect width="${width}" height="${height}" fill="${tint}" fill-opacity="${tintOpacity}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${draw()}${tinted}</svg>`;
}

const drawings: Record<string, () => string> = {
  ...paperDrawings,
  ...inkDrawings,
  ...gradientDrawings,
  ...patternDrawings,
};
