import type sharp from "sharp";

import { oncePerProcess } from "#app/services/workers/worker-task.server.ts";
import type { WorkerTask } from "#app/services/workers/worker-task.server.ts";

type Sharp = typeof sharp;

/** Loads sharp on first use: a process that decodes and draws no images does without the memory of libvips. */
export function loadSharp(): Promise<Sharp> {
  return (loading ??= load());
}

let loading: Promise<Sharp> | undefined;

async function load(): Promise<Sharp> {
  const { default: loaded } = await import("sharp");
  // Only these formats are decoded, whatever bytes arrive: libvips also opens SVG, TIFF, GIF, PDF and more. It blocks them for the process, and
  // for a moment these formats as well: images that another thread decodes then would fail.
  oncePerProcess("image formats", () => {
    loaded.block({ operation: ["VipsForeignLoad"] });
    loaded.unblock({ operation: ["VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp"] });
  });
  // One thread per image and no cache of decoded images: memory stays bounded.
  loaded.concurrency(1);
  loaded.cache(false);
  return loaded;
}

/**
 * Renders an SVG as PNG, off the event loop. Draws no `<text>` (draw letters as paths) and loads nothing. `width` is in pixels, by default
 * the SVG's own; `background` is a CSS color, by default transparent.
 */
export async function rasterize(svg: string, { width, background }: RasterizeOptions = {}): Promise<Buffer> {
  const [{ renderAsync }, sharp] = await Promise.all([import("@resvg/resvg-js"), loadSharp()]);
  const drawn = await renderAsync(svg, {
    font: { loadSystemFonts: false },
    ...(background && { background }),
    ...(width && { fitTo: { mode: "width" as const, value: width } }),
  });
  // Its own asPng() would block the event loop for 70 ms at 2048 x 2048. Its pixels have premultiplied alpha.
  const raw = { width: drawn.width, height: drawn.height, channels: 4, premultiplied: true } as const;
  return sharp(drawn.pixels, { raw }).png().toBuffer();
}

/** Renders an SVG as PNG, as `rasterize` does. */
export const rasterizeTask: WorkerTask<RasterizeOptions & { svg: string }, Uint8Array> = {
  name: "rasterize",
  run: ({ svg, ...options }) => rasterize(svg, options),
};

type RasterizeOptions = { width?: number; background?: string };
