import { qrSize } from "./qr-code.ts";
import { qrLogos, readColor, refuseColor } from "./qr-style.ts";
import type { QrStyle } from "./qr-style.ts";

/** What `?color=1f2937&logo=seal&size=512` asks for; the problem names what can't be had. Other parameters are not looked at. */
export function readQrStyle(params: URLSearchParams): QrStyle | { problem: string } {
  const size = qrSize(params.get("size"));
  if ("problem" in size) return size;
  const wanted = params.get("logo") ?? "none";
  const logo = qrLogos.find((name) => name === wanted);
  if (!logo) return { problem: `The logo must be one of: ${qrLogos.join(", ")}.` };
  const color = readColor(params.get("color"));
  if (!color) return { problem: 'The color must be six hexadecimal digits, as in "1f2937".' };
  const problem = refuseColor(color);
  return problem ? { problem } : { ...size, logo, color };
}
