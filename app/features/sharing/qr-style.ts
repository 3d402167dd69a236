/** How a code looks: the colour of its dark modules on white ("#1f2937"), what stands in its middle, its width in pixels. */
export type QrStyle = { color: string; logo: QrLogo; size: number };

export type QrLogo = (typeof qrLogos)[number];

export const qrLogos = ["none", "seal", "avatar"] as const;

/** "1F2937" and "#1f2937" -> "#1f2937"; black without one; undefined for what is no colour. */
export function readColor(text: string | null): string | undefined {
  if (text === null) return "#000000";
  const digits = /^#?([\da-f]{6})$/i.exec(text)?.[1];
  return digits && `#${digits.toLowerCase()}`;
}

/** Why a code of this colour on white would not scan: cameras tell modules by their lightness alone. */
export function refuseColor(color: string): string | undefined {
  return contrastWithWhite(color) >= leastContrast
    ? undefined
    : "This colour is too light to scan on white. Choose a darker one.";
}

/** WCAG 2's ratio for text: below it cameras in bad light, and paper that was copied, lose modules. */
export const leastContrast = 4.5;

/** WCAG 2.2 §"contrast ratio", 1 to 21; dark modules on white, so the colour is always the darker of the two. */
export function contrastWithWhite(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  );
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
