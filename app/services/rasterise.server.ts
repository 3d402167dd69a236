import { renderAsync } from "@resvg/resvg-js";
import sharp from "sharp";

/**
 * An SVG as a PNG, drawn and encoded beside the event loop. It draws no text (`<text>` needs fonts: draw letters as paths) and loads
 * nothing: what it shows is inside it. `width` in pixels, otherwise what the SVG says; `background` as CSS has it, otherwise what is not
 * drawn on lets through.
 */
export async function rasterise(svg: string, { width, background }: Options = {}): Promise<Buffer> {
  const drawn = await renderAsync(svg, {
    font: { loadSystemFonts: false },
    ...(background && { background }),
    ...(width && { fitTo: { mode: "width" as const, value: width } }),
  });
  // Its own asPng() would hold the event loop for 70 ms at 2048 x 2048. Its pixels have their alpha multiplied in.
  const raw = { width: drawn.width, height: drawn.height, channels: 4, premultiplied: true } as const;
  return sharp(drawn.pixels, { raw }).png().toBuffer();
}

type Options = { width?: number; background?: string };
