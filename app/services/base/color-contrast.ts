export type HexColor = `#${string}`;

/** The contrast ratio of two colors such as "#1f2937" (WCAG 2.2), from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** WCAG 2.2 level AA for text. */
export const leastTextContrast = 4.5;

/** The same for the parts of a drawing (1.4.11). */
export const leastDrawingContrast = 3;

/** The color, or the nearest mix of it with white or black that is readable as text on all these backgrounds, which are alike. */
export function readableOn(backgrounds: readonly string[], color: HexColor, least = leastTextContrast): HexColor {
  const isReadable = (mixed: string) => backgrounds.every((back) => contrast(mixed, back) >= least);
  const end = backgrounds.every(isDark) ? 255 : 0;
  for (let share = 0; share < 1; share += 0.02) {
    const mixed = mix(color, { end, share });
    if (isReadable(mixed)) return mixed;
  }
  return mix(color, { end, share: 1 });
}

/** Whether white text is more readable on a color than black text. */
export function isDark(color: string): boolean {
  return luminance(color) < 0.179;
}

/** "#1f2937" with a share of white (`end` 255) or black (0). */
function mix(color: string, { end, share }: { end: 0 | 255; share: number }): HexColor {
  const parts = channels(color).map((value) => Math.round(value + (end - value) * share));
  return `#${parts.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => linear(value / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
