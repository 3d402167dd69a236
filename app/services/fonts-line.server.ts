import type { Face, Run } from "./fonts.server.ts";
import { runsOf } from "./fonts.server.ts";

/** A line set in our fonts, measured in ems: times the size in pixels or points. */
export type SetLine = { text: string; runs: Run[]; width: number; tracking: number };

/** Undefined where our fonts lack a sign. `tracking` is the space that is added between signs, in ems. */
export async function setLine(face: Face, text: string, tracking = 0): Promise<SetLine | undefined> {
  const runs = await runsOf(face, text);
  if (!runs) return undefined;
  const width = runs.reduce((sum, run) => sum + placed(run, tracking).width, 0);
  return { text, runs, tracking, width: Math.max(0, width - tracking) };
}

/** The line's letters as an SVG path, which starts at `x` on the baseline `y`. */
export function outlineOf({ runs, tracking }: SetLine, { x, y, size }: { x: number; y: number; size: number }): string {
  let d = "";
  let start = x;
  for (const run of runs) {
    const { glyphs, width } = placed(run, tracking);
    const scale = size / run.font.unitsPerEm;
    for (const { glyph, at, rise } of glyphs) {
      const place = (value: number, index: number) =>
        index % 2 === 0 ? short(start + at * size + value * scale) : short(y - rise * size - value * scale);
      for (const { command, args } of glyph.path.commands) d += letters[command] + args.map(place).join(" ");
    }
    start += width * size;
  }
  return d;
}

/** How far a run moves the pen, in ems. */
export function outlineWidth(run: Run, tracking: number): number {
  return placed(run, tracking).width;
}

const letters = { moveTo: "M", lineTo: "L", quadraticCurveTo: "Q", bezierCurveTo: "C", closePath: "Z" } as const;

const short = (value: number) => String(Math.round(value * 100) / 100);

/** Glyphs with where they stand, in ems from the start of the run. */
function placed({ font, text }: Run, tracking: number) {
  const { glyphs, positions } = font.layout(text);
  const em = font.unitsPerEm;
  let pen = 0;
  const set = glyphs.map((glyph, index) => {
    const position = positions[index];
    const at = pen + (position?.xOffset ?? 0) / em;
    pen += (position?.xAdvance ?? 0) / em + tracking;
    return { glyph, at, rise: (position?.yOffset ?? 0) / em };
  });
  return { glyphs: set, width: pen };
}
