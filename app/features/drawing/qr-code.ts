import QRCode from "qrcode";

import { qrSizes } from "./qr-style.ts";

/** `size` is the width in modules with the quiet zone, `d` the dark modules as lines of width 1. */
export type QrDrawing = { size: number; d: string };

/** ISO/IEC 18004 §6.3.8: four light modules on every side, so that scanners can tell the code from its surroundings. */
export const quietZone = 4;

/**
 * A QR code as compact SVG path data, for `QrImage`. Throws when the text is longer than a QR code can hold (2,331 bytes).
 */
export function qrPath(text: string): QrDrawing {
  return modulesPath(qrModules(text));
}

/** The modules of a code as one path, with the quiet zone. */
export function modulesPath({ size, isDark }: QrModules): QrDrawing {
  let d = "";
  // Relative moves from the end of the previous run are short and similar: they compress to half the size of "M9 4.5h1".
  let x = -quietZone;
  let y = -quietZone - 0.5;
  for (const run of darkRuns(size, isDark)) {
    d += `${d ? "m" : "M"}${run.start - x} ${run.row - y}h${run.length}`;
    x = run.start + run.length;
    y = run.row;
  }
  return { size: size + 2 * quietZone, d };
}

/** A QR code as an SVG document, dark on white; `size` is its width in pixels. */
export function qrSvg(text: string, { size = qrSizes.usual, label = "QR code" } = {}): string {
  const { size: modules, d } = qrPath(text);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${modules} ${modules}" ` +
    `shape-rendering="crispEdges" role="img" aria-label="${escapeAttribute(label)}">` +
    `<path fill="#fff" d="M0 0h${modules}v${modules}H0z"/><path fill="none" stroke="#000" d="${d}"/></svg>`
  );
}

/** `size` modules on each side, without the quiet zone. */
export type QrModules = { size: number; isDark: (x: number, y: number) => boolean };

/**
 * The modules of a code. Error correction level M restores 15 % of the data; the next level would make each module a tenth smaller. L (7 %)
 * is for long texts on screens, H (30 %) for codes with a logo. Throws when the text is longer than a code of that level can hold.
 */
export function qrModules(text: string, level: "L" | "M" | "H" = "M"): QrModules {
  const segments = hasDenserMode.test(text) ? text : [{ data: new TextEncoder().encode(text), mode: "byte" as const }];
  const { size, data } = QRCode.create(segments, { errorCorrectionLevel: level }).modules;
  return { size, isDark: (x, y) => data[y * size + x] === 1 };
}

/**
 * Whether a part of a text may be shorter in the modes for digits and capitals (ISO/IEC 18004 §7.4) than in bytes, despite the header of
 * each part. For other texts the library's search for the shortest parts, a quarter of its time, finds bytes only.
 */
const hasDenserMode = /[\dA-Z $%*+./:-]{10}|\d{6}|^[\dA-Z $%*+./:-]|[\dA-Z $%*+./:-]$/;

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

/** Escapes text for an XML attribute. */
export function escapeAttribute(text: string): string {
  // XML 1.0 §2.2 allows no control characters and no lone surrogates, not even as entities.
  const allowed = text.toWellFormed().replace(/[\p{Cc}\ufffe\uffff]/gu, " ");
  return allowed.replace(/[&<>"]/g, (character) => entities[character] ?? "");
}
