import { gradientDrawings } from "./drawings/gradient-drawings.ts";
import { inkDrawings } from "./drawings/ink-drawings.ts";
import { paperDrawings } from "./drawings/paper-drawings.ts";
import { patternDrawings } from "./drawings/pattern-drawings.ts";
import { height, width } from "./drawings/svg-drawing.ts";

/** One of our images as SVG, of 540 by 660; undefined for an unknown id. */
export function drawDefaultImage(id: string): string | undefined {
  const draw = Object.hasOwn(drawings, id) ? drawings[id] : undefined;
  if (!draw) return undefined;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${draw()}</svg>`;
}

const drawings: Record<string, () => string> = {
  ...paperDrawings,
  ...inkDrawings,
  ...gradientDrawings,
  ...patternDrawings,
};
