import { qrSize, qrSvg } from "./qr-code.ts";
import { qrPng } from "./qr-png.server.ts";
import { markedUrl } from "./source-marks.ts";

/** The answer to `qr.svg` and `qr.png?size=`: a code of the public address with the mark that tells a scan from a click. */
export function qrResponse(asked: URL, code: { publicUrl: string; label: string }): Response {
  const text = markedUrl(code.publicUrl, "qr");
  const size = qrSize(asked.searchParams.get("size"));
  if ("problem" in size)
    return new Response(size.problem, { status: 400, headers: { "content-type": "text/plain; charset=utf-8" } });
  const isPng = asked.pathname.endsWith(".png");
  const image = isPng ? new Uint8Array(qrPng(text, size.size)) : qrSvg(text, { size: size.size, label: code.label });
  return new Response(image, {
    headers: { "content-type": isPng ? "image/png" : "image/svg+xml", "cache-control": "no-cache" },
  });
}
