import sharp from "sharp";

import { rasterise } from "#app/services/rasterise.server.ts";

import { styledQr } from "./qr-drawing.server.ts";
import { quietZone } from "./qr-code.ts";

/** Shown at 96 x 96 in a mail: three pixels for each, for sharp screens. */
export const signatureSize = 288;

/**
 * The code in an e-mail signature: ink on a paper square with round corners, which stays light in a dark mail program. A PNG on a
 * transparent ground, larger only for an address of more modules than that many pixels show well.
 */
export async function signaturePicture(text: string): Promise<Buffer> {
  const { modules, body } = styledQr(text, { color: "#17181b", logo: undefined });
  const scale = Math.max(4, Math.floor(signatureSize / (modules + 2 * quietZone)));
  const width = Math.max(signatureSize, (modules + 2 * quietZone) * scale);
  const margin = Math.floor((width - modules * scale) / 2);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width}" viewBox="0 0 ${width} ${width}">` +
    `<rect x="1" y="1" width="${width - 2}" height="${width - 2}" rx="${width / 12}" fill="#fbf9f4" stroke="#ddd7c9" stroke-width="2"/>` +
    `<g transform="translate(${margin} ${margin}) scale(${scale})">${body}</g></svg>`;
  return sharp(await rasterise(svg))
    .png({ palette: true, colours: 32, effort: 7 })
    .toBuffer();
}
