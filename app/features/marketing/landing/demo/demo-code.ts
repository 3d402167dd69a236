import { qrModules } from "#app/features/drawing/qr-code.ts";
import type { QrModules } from "#app/features/drawing/qr-code.ts";

import type { CardMode } from "./demo-card.ts";

export type DemoCode =
  /** `isDense`: the modules are too small for most cameras at the demo's size. */
  { kind: "code"; svg: string; isDense: boolean } | { kind: "too-long"; cause: unknown };

/** Draws the QR code of a text in the colors of a card mode; "too-long" when the text doesn't fit in a code. */
export function drawDemoCode(text: string, mode: CardMode): DemoCode {
  // The encoder would spend seconds on a very long text before it refuses it.
  if (text.length > maxDigits) return { kind: "too-long", cause: `${text.length} characters` };
  try {
    const code = qrModules(text);
    return { kind: "code", svg: renderDemoCode(code, mode), isDense: code.size > denseSize };
  } catch (cause) {
    return { kind: "too-long", cause };
  }
}

/** The most that any code holds: ISO/IEC 18004, table 7, version 40, level M, digits only. */
const maxDigits = 5596;
/** Version 13, whose modules are three pixels wide. */
const denseSize = 69;

/** Width and height in pixels. */
const imageSize = 200;

/**
 * A QR code as an SVG document: dark on light in both modes, because phones need that, with a margin of two modules. The light background
 * around it completes the quiet zone of four modules (ISO/IEC 18004 §6.3.8).
 */
export function renderDemoCode(code: QrModules, mode: CardMode): string {
  const width = code.size + 2 * quietZone;
  const { dark, light } = modeColors[mode];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${imageSize}" height="${imageSize}" viewBox="0 0 ${width} ${width}" ` +
    `shape-rendering="crispEdges"><path fill="${light}" d="M0 0h${width}v${width}H0z"/>` +
    `<path fill="none" stroke="${dark}" d="${modulePath(code)}"/></svg>`
  );
}

const quietZone = 2;

const modeColors: Record<CardMode, { dark: string; light: string }> = {
  dark: { dark: "#0e0f12", light: "#f4f1ea" },
  light: { dark: "#17181b", light: "#ffffff" },
};

/** The dark modules as horizontal lines of width 1. */
function modulePath({ size, isDark }: QrModules): string {
  let path = "";
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      let length = 0;
      while (x + length < size && isDark(x + length, y)) length++;
      if (length) path += `M${x + quietZone} ${y + quietZone + 0.5}h${length}`;
      x += length;
    }
  }
  return path;
}
