import sharp from "sharp";

import { plainText } from "#app/services/file-route.server.ts";
import { rasterise } from "#app/services/rasterise.server.ts";

import { markedUrl } from "./source-marks.ts";
import { pictureResponse } from "./picture-response.server.ts";
import type { Asked } from "./picture-response.server.ts";
import { qrSvg } from "./qr-code.ts";
import { styledQrSvg } from "./qr-drawing.server.ts";
import { qrPng } from "./qr-png.server.ts";
import type { QrStyle } from "./qr-style.ts";
import { readQrStyle } from "./qr-wish.ts";

type Code = {
  ownerId: string;
  publicUrl: string;
  label: string;
  /** Where the owner's picture is, as its address in the store says it, and what reads it (JPEG). */
  avatar: { stem: string; read: () => Promise<Uint8Array | undefined> } | undefined;
};

/**
 * The answer to `qr.svg` and `qr.png` with `?size=&color=&logo=`: a code of the public address with the mark that tells a scan from
 * a click. What can't be had is a 400 that names it.
 */
export function qrResponse(asked: Asked, { ownerId, publicUrl, label, avatar }: Code): Promise<Response> {
  const style = readQrStyle(asked.url.searchParams);
  if ("problem" in style) return Promise.resolve(plainText(style.problem, { status: 400 }));
  const text = markedUrl(publicUrl, "qr");
  const isPng = asked.url.pathname.endsWith(".png");
  // An owner without a picture gets the code as it is: an address that was handed on must not break when the picture goes.
  const logo = style.logo === "avatar" && !avatar ? "none" : style.logo;
  const photo = logo === "avatar" ? avatar : undefined;
  return pictureResponse(asked, {
    ownerId,
    kind: isPng ? "qr.png 1" : "qr.svg 1",
    shows: { text, label, ...style, logo, photo: photo?.stem },
    type: isPng ? "image/png" : "image/svg+xml",
    draw: async () => {
      const picture = logo === "seal" ? "seal" : await photo?.read();
      return isPng ? drawPng(text, style, picture) : drawSvg(text, { ...style, label }, picture);
    },
  });
}

type Picture = Uint8Array | "seal" | undefined;

async function drawPng(text: string, { size, color }: QrStyle, logo: Picture): Promise<Uint8Array> {
  if (!logo) return qrPng(text, size, color);
  const drawn = await rasterise(styledQrSvg(text, { size, color, logo }));
  return sharp(drawn).png({ palette: true, quality: 100, effort: 4 }).toBuffer();
}

function drawSvg(text: string, { size, color, label }: QrStyle & { label: string }, logo: Picture): Uint8Array {
  const isPlain = !logo && color === "#000000";
  return Buffer.from(isPlain ? qrSvg(text, { size, label }) : styledQrSvg(text, { size, color, label, logo }));
}
