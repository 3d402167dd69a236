import { tintOpacity } from "#app/features/wallet/pass-style.ts";
import type { WorkerTask } from "#app/services/workers/worker-task.server.ts";

import { passBackgroundSize } from "./default-image-model.ts";

/** `source` is an SVG or the bytes of an image that we stored; `tint` is a color or "". */
export type BackgroundDrawing = { source: string | Uint8Array; tint: string; width: number };

/** Draws a background of a pass as JPEG, under its tint. */
export const drawBackgroundTask: WorkerTask<BackgroundDrawing, Uint8Array> = {
  name: "draw a pass background",
  run: async ({ source, tint, width }) => {
    const { loadSharp, rasterize } = await import("#app/services/images/sharp.server.ts");
    const sharp = await loadSharp();
    const image = sharp(typeof source === "string" ? await rasterize(source, { width }) : source);
    const height = Math.round((width * passBackgroundSize.height) / passBackgroundSize.width);
    const sized = image.resize({ width, height, fit: "fill" });
    if (tint === "") return sized.jpeg({ quality: 90 }).toBuffer();
    const veil = {
      create: { width, height, channels: 4, background: { ...channelsOf(tint), alpha: tintOpacity } },
    } as const;
    return sized
      .composite([{ input: veil }])
      .jpeg({ quality: 90 })
      .toBuffer();
  },
};

function channelsOf(color: string): { r: number; g: number; b: number } {
  const channel = (start: number) => Number.parseInt(color.slice(start, start + 2), 16);
  return { r: channel(1), g: channel(3), b: channel(5) };
}
