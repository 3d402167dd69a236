import jsqr from "jsqr";
import sharp from "sharp";

// CommonJS: what it exports stands one level deeper here than its types say.
const decode = "default" in jsqr ? (jsqr.default as typeof jsqr) : jsqr;

/** What a camera reads in a picture (PNG, SVG): the text of the QR code, or undefined. */
export async function scan(picture: Buffer): Promise<string | undefined> {
  const drawn = sharp(picture).flatten({ background: "#fff" }).ensureAlpha().raw();
  const { data, info } = await drawn.toBuffer({ resolveWithObject: true });
  return decode(new Uint8ClampedArray(data), info.width, info.height)?.data;
}
