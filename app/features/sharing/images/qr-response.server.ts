import { services } from "#app/services/http/context.ts";
import { plainTextResponse } from "#app/services/http/file-route.server.ts";

import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { logoQrTask } from "#app/features/sharing/images/drawing-tasks.server.ts";
import { imageResponse } from "#app/features/sharing/images/image-response.server.ts";
import type { ImageRequest } from "#app/features/sharing/images/image-response.server.ts";
import { qrSvg } from "#app/features/drawing/qr-code.ts";
import { qrPng, styledQrImage } from "#app/features/drawing/qr-images.server.ts";
import type { QrStyle } from "#app/features/drawing/qr-style.ts";
import { readQrStyle } from "#app/features/drawing/qr-style.ts";

type QrResponseOptions = {
  ownerId: string;
  publicUrl: string;
  label: string;
  /** The storage key prefix of the owner's avatar, and a function that reads it as a JPEG. */
  avatar: { keyPrefix: string; read: () => Promise<Uint8Array | undefined> } | undefined;
};

/**
 * Responds to `qr.svg` and `qr.png` with `?size=&color=&logo=`: a QR code of the public URL with the mark that distinguishes scans from
 * clicks. Responds with 400 and the problem when a parameter is invalid.
 */
export function qrResponse(
  asked: ImageRequest,
  { ownerId, publicUrl, label, avatar }: QrResponseOptions,
): Promise<Response> {
  const style = readQrStyle(asked.url.searchParams);
  if ("problem" in style) return Promise.resolve(plainTextResponse(style.problem, { status: 400 }));
  const text = markedUrl(publicUrl, "qr");
  const { workers } = services(asked.context);
  const isPng = asked.url.pathname.endsWith(".png");
  // Without an avatar the code has no logo: a shared URL must not break when the owner removes their avatar.
  const logo = style.logo === "avatar" && !avatar ? "none" : style.logo;
  const photo = logo === "avatar" ? avatar : undefined;
  return imageResponse(asked, {
    ownerId,
    kind: isPng ? "qr.png 1" : "qr.svg 1",
    content: { text, label, ...style, logo, photo: photo?.keyPrefix },
    type: isPng ? "image/png" : "image/svg+xml",
    draw: async () => {
      const logoImage = logo === "seal" ? "seal" : await photo?.read();
      if (!isPng) return drawSvg(text, { ...style, label }, logoImage);
      if (!logoImage) return qrPng(text, style.size, style.color);
      return workers.run(logoQrTask, { text, style, logo: logoImage });
    },
  });
}

type LogoImage = Uint8Array | "seal" | undefined;

function drawSvg(text: string, { size, color, label }: QrStyle & { label: string }, logo: LogoImage): Uint8Array {
  const isPlain = !logo && color === "#000000";
  return Buffer.from(isPlain ? qrSvg(text, { size, label }) : styledQrImage(text, { size, color, label, logo }));
}
