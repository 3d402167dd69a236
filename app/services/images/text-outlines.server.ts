import type { Typeface, TextRun } from "./fonts.server.ts";
import { splitByFont } from "./fonts.server.ts";

/** A line of text in our fonts, measured in ems. */
export type TextLine = { text: string; runs: TextRun[]; width: number; tracking: number };

/** Returns undefined when our fonts lack a character. `tracking` is the space added between characters, in ems. */
export async function layOutLine(face: Typeface, text: string, tracking = 0): Promise<TextLine | undefined> {
  const runs = await splitByFont(face, text);
  if (!runs) return undefined;
  const width = runs.reduce((sum, run) => sum + positionGlyphs(run, tracking).width, 0);
  return { text, runs, tracking, width: Math.max(0, width - tracking) };
}

/** The line as SVG path data that starts at `x` on the baseline `y`. `size` is in the units of the SVG. */
export function linePath({ runs, tracking }: TextLine, { x, y, size }: { x: number; y: number; size: number }): string {
  let d = "";
  let start = x;
  for (const run of runs) {
    const { glyphs, width } = positionGlyphs(run, tracking);
    const scale = size / run.font.unitsPerEm;
    for (const { glyph, at, rise } of glyphs) {
      const toPoint = (value: number, index: number) =>
        index % 2 === 0 ? rounded(start + at * size + value * scale) : rounded(y - rise * size - value * scale);
      for (const { command, args } of glyph.path.commands) d += pathCommands[command] + args.map(toPoint).join(" ");
    }
    start += width * size;
  }
  return d;
}

/** The advance width of a run, in ems. */
export function runWidth(run: TextRun, tracking: number): number {
  return positionGlyphs(run, tracking).width;
}

const pathCommands = { moveTo: "M", lineTo: "L", quadraticCurveTo: "Q", bezierCurveTo: "C", closePath: "Z" } as const;

const rounded = (value: number) => String(Math.round(value * 100) / 100);

/** Returns the glyphs with their positions, in ems from the start of the run. */
function positionGlyphs({ font, text }: TextRun, tracking: number) {
  const { glyphs, positions } = font.layout(text);
  const em = font.unitsPerEm;
  let pen = 0;
  const positioned = glyphs.map((glyph, index) => {
    const position = positions[index];
    const at = pen + (position?.xOffset ?? 0) / em;
    pen += (position?.xAdvance ?? 0) / em + tracking;
    return { glyph, at, rise: (position?.yOffset ?? 0) / em };
  });
  return { glyphs: positioned, width: pen };
}
