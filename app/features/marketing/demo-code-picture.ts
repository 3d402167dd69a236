import type { QrModules } from "#app/features/sharing/qr-code.ts";

import type { CardMode } from "./demo-card.ts";

/** Pixels on each side. */
const SIZE = 200;

/**
 * A code as an SVG document: dark on light in both modes, or phones would not read it, with a margin of two modules. The plate around
 * it is as light, and wider than the four that ISO/IEC 18004 §6.3.8 asks for.
 */
export function codePicture(code: QrModules, mode: CardMode): string {
  const width = code.size + 2 * MARGIN;
  const { dark, light } = colors[mode];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}" viewBox="0 0 ${width} ${width}" ` +
    `shape-rendering="crispEdges"><path fill="${light}" d="M0 0h${width}v${width}H0z"/>` +
    `<path fill="none" stroke="${dark}" d="${pathOf(code)}"/></svg>`
  );
}

const MARGIN = 2;

const colors: Record<CardMode, { dark: string; light: string }> = {
  dark: { dark: "#0e0f12", light: "#f4f1ea" },
  light: { dark: "#17181b", light: "#ffffff" },
};

/** The dark modules as lines of width 1. */
function pathOf({ size, isDark }: QrModules): string {
  let path = "";
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      let length = 0;
      while (x + length < size && isDark(x + length, y)) length++;
      if (length) path += `M${x + MARGIN} ${y + MARGIN + 0.5}h${length}`;
      x += length;
    }
  }
  return path;
}
