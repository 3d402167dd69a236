import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";
import type { ZlibOptions } from "node:zlib";

import { sealSvg } from "./svg-parts.server.ts";
import { rasterize, loadSharp } from "#app/services/images/sharp.server.ts";

import { escapeAttribute, modulesPath, qrModules, quietZone } from "./qr-code.ts";
import type { QrModules } from "./qr-code.ts";
import { qrSizes } from "./qr-style.ts";
import type { QrStyle } from "./qr-style.ts";

type StyledQrOptions = Pick<QrStyle, "color" | "size"> & {
  /** A photo (JPEG) or our seal, drawn in the middle. */
  logo: Uint8Array | "seal" | undefined;
  label?: string;
};

/** A styled QR code as an SVG document. Its modules are whole pixels wide if they fit. */
export function styledQrImage(text: string, { size, label = "QR code", ...style }: StyledQrOptions): string {
  const { modules, body } = styledQr(text, style);
  const narrowest = modules + 2 * quietZone;
  const scale = Math.max(1, Math.floor(size / narrowest));
  const width = Math.max(size, narrowest);
  const margin = Math.floor((width - modules * scale) / 2);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width}" viewBox="0 0 ${width} ${width}" ` +
    `role="img" aria-label="${escapeAttribute(label)}"><path fill="#fff" d="M0 0h${width}v${width}H0z"/>` +
    `<g transform="translate(${margin} ${margin}) scale(${scale})">${body}</g></svg>`
  );
}

/** The modules without a quiet zone, one unit wide each, as part of a larger drawing. */
export function styledQr(
  text: string,
  { color, logo }: Omit<StyledQrOptions, "size" | "label">,
): { modules: number; body: string } {
  const whole = qrModules(text, logo ? "H" : "M");
  const gap = logo ? logoGap(whole.size) : 0;
  const { d } = modulesPath(gap ? withoutMiddle(whole, gap) : whole);
  const path = `<path transform="translate(${-quietZone} ${-quietZone})" shape-rendering="crispEdges" fill="none" stroke="${color}" d="${d}"/>`;
  return { modules: whole.size, body: logo ? path + centeredLogo(logo, { size: whole.size, gap }) : path };
}

/**
 * The side of the square that is left out for a logo, in modules: about a fifth of the width including the light ring around the logo.
 * That is 5 % of the area, and level H restores 30 % of the data. Odd like the width of every code, so that it is centered.
 */
export function logoGap(size: number): number {
  const fifth = Math.floor(size * 0.22);
  return fifth % 2 === 1 ? fifth : fifth - 1;
}

function withoutMiddle({ size, isDark }: QrModules, gap: number): QrModules {
  const start = (size - gap) / 2;
  const isInside = (at: number) => at >= start && at < start + gap;
  return { size, isDark: (x, y) => !(isInside(x) && isInside(y)) && isDark(x, y) };
}

function centeredLogo(logo: Uint8Array | "seal", { size, gap }: { size: number; gap: number }): string {
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

export type QrPngOptions = { text: string; style: Pick<QrStyle, "color" | "size">; logo: Uint8Array | "seal" };

/** A QR code with a logo as a PNG. */
export async function logoQrPng({ text, style, logo }: QrPngOptions): Promise<Buffer> {
  const { size, color } = style;
  const drawn = await rasterize(styledQrImage(text, { size, color, logo }));
  const sharp = await loadSharp();
  return sharp(drawn).png({ palette: true, quality: 100, effort: 4 }).toBuffer();
}

/**
 * A QR code as a PNG of `size` x `size` pixels, limited to 64 to 2048. All modules are the same integer number of pixels wide, and the
 * rest widens the quiet zone evenly; a code with more modules than `size` is drawn larger. `color` ("#rrggbb") is for the dark modules.
 * Takes two to five milliseconds on the event loop, less than sending it to a worker thread.
 */
export async function qrPng(text: string, size: number, color = "#000000"): Promise<Buffer> {
  const { size: modules, isDark } = qrModules(text);
  const narrowest = modules + 2 * quietZone;
  const width = Math.max(clampSize(size), narrowest);
  const scale = Math.floor(width / narrowest);
  const margin = Math.floor((width - modules * scale) / 2);

  const rows: Buffer[] = Array.from({ length: width }, () => lightRow(width));
  for (let y = 0; y < modules; y++) {
    const row = lightRow(width);
    for (let x = 0; x < modules; x++) {
      if (isDark(x, y)) darken(row, margin + x * scale, scale);
    }
    rows.fill(row, margin + y * scale, margin + (y + 1) * scale);
  }
  return encodePng(width, Buffer.concat(rows), color);
}

function clampSize(size: number): number {
  const whole = Number.isNaN(size) ? qrSizes.usual : Math.trunc(size);
  return Math.min(Math.max(whole, qrSizes.smallest), qrSizes.largest);
}

/** PNG §7.2 and §9: one bit per pixel, 1 is white, after a byte for the row's filter (0, none). */
function lightRow(width: number): Buffer {
  const row = Buffer.alloc(1 + Math.ceil(width / 8), 0xff);
  row[0] = 0;
  return row;
}

function darken(row: Buffer, from: number, length: number) {
  for (let x = from; x < from + length; x++) {
    const at = 1 + (x >> 3);
    row[at] = (row[at] ?? 0) & ~(0x80 >> (x & 7));
  }
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Encodes one bit per pixel: 0.6 kB, a fifth of the size with four bytes per pixel. */
async function encodePng(width: number, rows: Buffer, color: string): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(width, 4);
  header[8] = 1; // bits per pixel; the following zeros mean gray, deflate, no interlacing
  const isGray = color === "#000000";
  if (!isGray) header[9] = 3; // a palette of the dark color and white
  const palette = isGray ? [] : [pngChunk("PLTE", Buffer.from(`${color.slice(1)}ffffff`, "hex"))];
  const data = pngChunk("IDAT", await deflateOffThread(rows, { level: 9 }));
  return Buffer.concat([pngSignature, pngChunk("IHDR", header), ...palette, data, pngChunk("IEND", Buffer.alloc(0))]);
}

const deflateOffThread = promisify<Buffer, ZlibOptions, Buffer>(deflate);

/** PNG §5.3: length, type, data, and the checksum of type and data. */
function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** Displayed at 96 x 96 CSS pixels in emails, with a pixel density of 3. */
export const signatureSize = 288;

/**
 * The QR code of an email signature: dark on a light square with round corners, which stays light in a dark mail program. A PNG with a
 * transparent background, larger than `signatureSize` only when the code has too many modules for it.
 */
export async function signatureImage(text: string): Promise<Buffer> {
  const { modules, body } = styledQr(text, { color: "#17181b", logo: undefined });
  const scale = Math.max(4, Math.floor(signatureSize / (modules + 2 * quietZone)));
  const width = Math.max(signatureSize, (modules + 2 * quietZone) * scale);
  const margin = Math.floor((width - modules * scale) / 2);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width}" viewBox="0 0 ${width} ${width}">` +
    `<rect x="1" y="1" width="${width - 2}" height="${width - 2}" rx="${width / 12}" fill="#fbf9f4" stroke="#ddd7c9" stroke-width="2"/>` +
    `<g transform="translate(${margin} ${margin}) scale(${scale})">${body}</g></svg>`;
  const sharp = await loadSharp();
  return sharp(await rasterize(svg))
    .png({ palette: true, colours: 32, effort: 7 })
    .toBuffer();
}
