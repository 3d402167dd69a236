import { findTextAngle } from "./angle-rules.ts";
import { flattenLight, rotate, toGray } from "./image-rules.ts";
import type { GrayImage } from "./image-rules.ts";

/** The pixels of a photo, as a canvas has them. */
export type ImageTask = { width: number; height: number; data: Uint8ClampedArray };

/** The image with horizontal lines, and the same upside down. */
export type PreparedImages = { upright: GrayImage; turned: GrayImage };

/** Prepares a photo for reading. It runs in a worker, because it takes a second on a slow phone. */
function prepare(task: ImageTask): PreparedImages {
  const flat = flattenLight(toGray(task));
  const angle = findTextAngle(flat);
  return { upright: rotate(flat, angle), turned: rotate(flat, angle + 180) };
}

self.addEventListener("message", ({ data }: MessageEvent<ImageTask>) => {
  const prepared = prepare(data);
  self.postMessage(prepared, { transfer: [prepared.upright.pixels.buffer, prepared.turned.pixels.buffer] });
});
