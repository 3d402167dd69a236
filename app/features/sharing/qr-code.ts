import QRCode from "qrcode";

/** ISO/IEC 18004 §6.3.8: four light modules on every side, or scanners lose the code beside other things. */
export const quietZone = 4;

export const qrSizes = { smallest: 64, largest: 2048, usual: 512 };

/**
 * A QR code as the least SVG that draws it: `size` is the width in modules with the quiet zone, `d` the dark modules as lines of
 * width 1. `<svg viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges"><path d={d} stroke="#000" fill="none"/></svg>`, on
 * something light. Throws when the text is longer than a QR code holds (2,331 bytes).
 */
export function qrPath(text: string): { size: number; d: string } {
  return pathOf(qrModules(text));
}

/** The modules of a code as one path, with the quiet zone around them. */
export function pathOf({ size, isDark }: QrModules): { size: number; d: string } {
  let d = "";
  // Steps from where the last run ended are short and much alike, so they compress to half of what "M9 4.5h1" takes.
  let x = -quietZone;
  let y = -quietZone - 0.5;
  for (const run of darkRuns(size, isDark)) {
    d += `${d ? "m" : "M"}${run.start - x} ${run.row - y}h${run.length}`;
    x = run.start + run.length;
    y = run.row;
  }
  return { size: size + 2 * quietZone, d };
}

/** A QR code as an SVG document that stands alone, dark on white in dark surroundings too; `size` is its width in pixels. */
export function qrSvg(text: string, { size = qrSizes.usual, label = "QR code" } = {}): string {
  const { size: modules, d } = qrPath(text);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${modules} ${modules}" ` +
    `shape-rendering="crispEdges" role="img" aria-label="${attribute(label)}">` +
    `<path fill="#fff" d="M0 0h${modules}v${modules}H0z"/><path fill="none" stroke="#000" d="${d}"/></svg>`
  );
}

/** The width in pixels that `?size=` asks for: 512 without one; anything but a whole number from 64 to 2048 is a problem. */
export function qrSize(value: string | null | undefined): { size: number } | { problem: string } {
  if (value === null || value === undefined) return { size: qrSizes.usual };
  const size = /^\d{1,4}$/.test(value) ? Number(value) : 0;
  if (size >= qrSizes.smallest && size <= qrSizes.largest) return { size };
  return { problem: `The size must be a whole number from ${qrSizes.smallest} to ${qrSizes.largest}.` };
}

/** `size` modules on each side, without the quiet zone. */
export type QrModules = { size: number; isDark: (x: number, y: number) => boolean };

/**
 * The modules of a code. Level M bears 15 % of dirt; the next level up makes every module a tenth finer. L (7 %) is for long texts on
 * screens, H (30 %) for codes with something in their middle. Throws when the text is longer than a code of that level holds.
 */
export function qrModules(text: string, level: "L" | "M" | "H" = "M"): QrModules {
  const { size, data } = QRCode.create(text, { errorCorrectionLevel: level }).modules;
  return { size, isDark: (x, y) => data[y * size + x] === 1 };
}

function* darkRuns(size: number, isDark: (x: number, y: number) => boolean) {
  for (let row = 0; row < size; row++) {
    for (let start = 0; start < size; start++) {
      let length = 0;
      while (start + length < size && isDark(start + length, row)) length++;
      if (length) yield { row, start, length };
      start += length;
    }
  }
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A text inside an XML attribute. */
export function attribute(text: string): string {
  // XML 1.0 §2.2 has no place for control characters and half surrogates, not even as entities.
  const allowed = text.toWellFormed().replace(/[\p{Cc}\ufffe\uffff]/gu, " ");
  return allowed.replace(/[&<>"]/g, (sign) => entities[sign] ?? "");
}
