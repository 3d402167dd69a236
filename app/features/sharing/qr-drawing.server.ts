import { attribute, pathOf, qrModules, quietZone } from "./qr-code.ts";
import type { QrModules } from "./qr-code.ts";
import { sealSvg } from "./picture-parts.server.ts";
import type { QrStyle } from "./qr-style.ts";

type Styled = Pick<QrStyle, "color" | "size"> & {
  /** The photo (JPEG) or our seal in the middle. */
  logo: Uint8Array | "seal" | undefined;
  label?: string;
};

/** A code in a style of its own as an SVG document that stands alone. Its modules are whole pixels where there is room for that. */
export function styledQrSvg(text: string, { size, label = "QR code", ...style }: Styled): string {
  const { modules, body } = styledQr(text, style);
  const narrowest = modules + 2 * quietZone;
  const scale = Math.max(1, Math.floor(size / narrowest));
  const width = Math.max(size, narrowest);
  const margin = Math.floor((width - modules * scale) / 2);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width}" viewBox="0 0 ${width} ${width}" ` +
    `role="img" aria-label="${attribute(label)}"><path fill="#fff" d="M0 0h${width}v${width}H0z"/>` +
    `<g transform="translate(${margin} ${margin}) scale(${scale})">${body}</g></svg>`
  );
}

/** The modules without a quiet zone, each one unit wide: a part for a larger drawing. */
export function styledQr(
  text: string,
  { color, logo }: Omit<Styled, "size" | "label">,
): { modules: number; body: string } {
  const whole = qrModules(text, logo ? "H" : "M");
  const gap = logo ? gapOf(whole.size) : 0;
  const { d } = pathOf(gap ? withHole(whole, gap) : whole);
  const path = `<path transform="translate(${-quietZone} ${-quietZone})" shape-rendering="crispEdges" fill="none" stroke="${color}" d="${d}"/>`;
  return { modules: whole.size, body: logo ? path + logoIn(logo, { size: whole.size, gap }) : path };
}

/**
 * How many modules are left out on each side of the middle square: about a fifth of the width with the light ring around the logo,
 * so 5 % of the area, where level H bears 30 % of lost words. Odd like the code, so that it stands in the middle.
 */
export function gapOf(size: number): number {
  const fifth = Math.floor(size * 0.22);
  return fifth % 2 === 1 ? fifth : fifth - 1;
}

function withHole({ size, isDark }: QrModules, gap: number): QrModules {
  const start = (size - gap) / 2;
  const isInside = (at: number) => at >= start && at < start + gap;
  return { size, isDark: (x, y) => !(isInside(x) && isInside(y)) && isDark(x, y) };
}

function logoIn(logo: Uint8Array | "seal", { size, gap }: { size: number; gap: number }): string {
  const side = gap - 1.4;
  const start = (size - side) / 2;
  if (logo === "seal") return sealSvg({ x: start, y: start }, side);
  const middle = size / 2;
  return (
    `<clipPath id="logo"><circle cx="${middle}" cy="${middle}" r="${side / 2}"/></clipPath>` +
    `<image clip-path="url(#logo)" x="${start}" y="${start}" width="${side}" height="${side}" preserveAspectRatio="xMidYMid slice" ` +
    `href="data:image/jpeg;base64,${Buffer.from(logo).toString("base64")}"/>`
  );
}
