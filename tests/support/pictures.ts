import Pdf from "pdfkit";
import sharp from "sharp";

/** What a file input is given by a test. */
type Chosen = { name: string; mimeType: string; buffer: Buffer };

export const red = { r: 208, g: 32, b: 32 };
export const blue = { r: 32, g: 64, b: 208 };

/** 600 by 800 pixels, the upper half red, the lower blue; lying on its side, with the note (EXIF) that says how to turn it. */
export async function turnedPhoto(): Promise<Chosen> {
  const half = (background: typeof red) => ({ create: { width: 600, height: 400, channels: 3 as const, background } });
  const upright = await sharp({ create: { width: 600, height: 800, channels: 3, background: blue } })
    .composite([{ input: half(red), top: 0, left: 0 }])
    .png()
    .toBuffer();
  const buffer = await sharp(upright).rotate(270).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  return { name: "turned.jpg", mimeType: "image/jpeg", buffer };
}

/** As hard to compress as a real photo: soft shapes with a grain over them. */
export async function grainyPhoto(width: number, height: number): Promise<Chosen> {
  const grain = { create: { width, height, channels: 3 as const, background: "#888", noise: noise(18) } };
  const shapes = { create: { width: 24, height: 16, channels: 3 as const, background: "#888", noise: noise(90) } };
  const soft = await sharp(shapes).resize(width, height, { fit: "fill", kernel: "cubic" }).blur(6).png().toBuffer();
  const buffer = await sharp(soft)
    .composite([{ input: await sharp(grain).blur(0.8).png().toBuffer(), blend: "soft-light" }])
    .jpeg({ quality: 92 })
    .toBuffer();
  return { name: "grainy.jpg", mimeType: "image/jpeg", buffer };
}

/** The colour that a picture has on the whole; `isOne` when it has no other. */
export async function colourOf(file: Buffer) {
  const { channels } = await sharp(file).stats();
  const [r = 0, g = 0, b = 0] = channels.map(({ mean }) => Math.round(mean));
  return { r, g, b, isOne: channels.slice(0, 3).every(({ stdev }) => stdev < 6) };
}

/** One page that says a word. */
export async function resumePdf(name: string): Promise<Chosen> {
  const document = new Pdf();
  const parts: Buffer[] = [];
  document.on("data", (part: Buffer) => parts.push(part));
  const ended = new Promise((resolve) => document.on("end", resolve));
  document.text("Resume of Ada Lovelace");
  document.end();
  await ended;
  return { name, mimeType: "application/pdf", buffer: Buffer.concat(parts) };
}

function noise(sigma: number) {
  return { type: "gaussian" as const, mean: 128, sigma };
}
