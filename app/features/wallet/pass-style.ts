import { contrast, leastTextContrast, readableOn } from "#app/services/base/color-contrast.ts";
import type { HexColor } from "#app/services/base/color-contrast.ts";

/** In points: a pixel at 1x, two at 2x, three at 3x. https://developer.apple.com/design/human-interface-guidelines/wallet */
export const passSizes = {
  background: { width: 180, height: 220 },
  logo: { width: 160, height: 50 },
  thumbnail: { width: 90, height: 90 },
  icon: { width: 29, height: 29 },
} as const;

export const passScales = [1, 2, 3] as const;

/** The opacity of a tint. */
export const tintOpacity = 0.3;

/** A layer of black or white over a background, and the colors of texts that are readable on it everywhere. */
export type BackgroundStyle = { veil: { color: HexColor; opacity: number }; text: HexColor; label: HexColor };

/**
 * How texts become readable on an image: in the color with more contrast on all its parts (`samples`), and with as thin a layer of the
 * opposite color as WCAG AA needs.
 */
export function backgroundStyle(samples: readonly HexColor[]): BackgroundStyle {
  const [light, dark] = (["#ffffff", "#17181b"] as const).map((text) => ({
    text,
    least: Math.min(...samples.map((sample) => contrast(text, sample))),
  }));
  const text = (light?.least ?? 0) >= (dark?.least ?? 0) ? "#ffffff" : "#17181b";
  const color = text === "#ffffff" ? "#000000" : "#ffffff";
  for (let opacity = 0; opacity < 1; opacity += 0.05) {
    const veiled = samples.map((sample) => blend(sample, color, opacity));
    if (veiled.every((back) => contrast(text, back) >= leastTextContrast))
      return { veil: { color, opacity }, text, label: readableOn(veiled, text === "#ffffff" ? "#d7d3c8" : "#4a4740") };
  }
  return { veil: { color, opacity: 1 }, text, label: text };
}

/** A color with a share of another one over it. */
function blend(under: HexColor, over: HexColor, opacity: number): HexColor {
  const parts = [1, 3, 5].map((at) => {
    const [below, above] = [under, over].map((color) => Number.parseInt(color.slice(at, at + 2), 16));
    return Math.round((below ?? 0) + ((above ?? 0) - (below ?? 0)) * opacity);
  });
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
