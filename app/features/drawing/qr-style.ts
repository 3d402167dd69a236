import { contrast } from "#app/services/base/color-contrast.ts";

/** The style of a QR code: the color of its dark modules ("#1f2937"), the logo in its middle, its width in pixels. */
export type QrStyle = { color: string; logo: QrLogo; size: number };

export type QrLogo = (typeof qrLogos)[number];

export const qrLogos = ["none", "seal", "avatar"] as const;

/** "1F2937" and "#1f2937" -> "#1f2937"; black for null; undefined for text that isn't a color. */
export function readColor(text: string | null): string | undefined {
  if (text === null) return "#000000";
  const digits = /^#?([\da-f]{6})$/i.exec(text)?.[1];
  return digits && `#${digits.toLowerCase()}`;
}

/** Why a code of this color on white would not scan, or undefined. Scanners distinguish modules by their lightness. */
export function contrastProblem(color: string): string | undefined {
  return contrast(color, "#ffffff") >= leastContrast
    ? undefined
    : "This color is too light to scan on a white background. Choose a darker one.";
}

/** The message for a typed color that a code can't have, or undefined. */
export function findColorProblem(typed: string): string | undefined {
  const color = readColor(typed.trim());
  return color ? contrastProblem(color) : "Enter six characters from 0–9 and a–f, such as 1f2937.";
}

/** The contrast ratio of WCAG 2 for text: below it, modules are lost in bad light and on photocopies. */
export const leastContrast = 4.5;

/** Widths in pixels. */
export const qrSizes = { smallest: 64, largest: 2048, usual: 512 };

/** Reads `?size=`, the width in pixels: 512 by default; a problem for anything but an integer from 64 to 2048. */
export function readQrSize(value: string | null | undefined): { size: number } | { problem: string } {
  if (value === null || value === undefined) return { size: qrSizes.usual };
  const size = /^\d{1,4}$/.test(value) ? Number(value) : 0;
  if (size >= qrSizes.smallest && size <= qrSizes.largest) return { size };
  return { problem: `The size must be a whole number from ${qrSizes.smallest} to ${qrSizes.largest}.` };
}

/** Reads `?color=1f2937&logo=seal&size=512`, or returns the problem with one of them. Ignores other parameters. */
export function readQrStyle(params: URLSearchParams): QrStyle | { problem: string } {
  const size = readQrSize(params.get("size"));
  if ("problem" in size) return size;
  const requested = params.get("logo") ?? "none";
  const logo = qrLogos.find((name) => name === requested);
  if (!logo) return { problem: `The logo must be one of: ${qrLogos.join(", ")}.` };
  const color = readColor(params.get("color"));
  if (!color) return { problem: 'The color must be six hexadecimal digits, as in "1f2937".' };
  const problem = contrastProblem(color);
  return problem ? { problem } : { ...size, logo, color };
}
