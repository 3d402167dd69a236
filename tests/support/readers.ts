import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import sharp from "sharp";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";

import { scan } from "./scanner.ts";

const { resolve } = createRequire(import.meta.url);

let isReady: Promise<unknown> | undefined;

/** From this machine, where it would fetch its program from the network. */
function prepare() {
  isReady ??= readFile(resolve("zxing-wasm/reader/zxing_reader.wasm")).then(({ buffer }) =>
    prepareZXingModule({ overrides: { wasmBinary: buffer }, fireImmediately: true }),
  );
  return isReady;
}

/** What two readers that have nothing in common see in a picture, each the first code that it finds. */
export async function readByTwo(picture: Buffer): Promise<{ jsqr: string | undefined; zxing: string | undefined }> {
  await prepare();
  const png = await sharp(picture).flatten({ background: "#fff" }).png().toBuffer();
  const [found] = await readBarcodes(new Uint8Array(png), { formats: ["QRCode"], tryHarder: true, textMode: "Plain" });
  return { jsqr: await scan(png), zxing: found?.text };
}

/** Both read this. */
export const both = (text: string) => ({ jsqr: text, zxing: text });
