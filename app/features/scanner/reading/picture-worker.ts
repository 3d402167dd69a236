import { findTextAngle } from "./angle-rules.ts";
import { flattenLight, rotate, toGray } from "./picture-rules.ts";
import type { GrayPicture } from "./picture-rules.ts";

/** The pixels of a photo, as a canvas has them. */
export type PictureTask = { width: number; height: number; data: Uint8ClampedArray };

/** The picture with horizontal lines, and the same upside down. */
export type PreparedPicture = { upright: GrayPicture; turned: GrayPicture };

/** Prepares a photo for reading. It runs in a worker, because it takes a second on a slow phone. */
function prepare(task: PictureTask): PreparedPicture {
  const flat = flattenLight(toGray(task));
  const angle = findTextAngle(flat);
  return { upright: rotate(flat, angle), turned: rotate(flat, angle + 180) };
}

self.addEventListener("message", ({ data }: MessageEvent<PictureTask>) => {
  const prepared = prepare(data);
  self.postMessage(prepared, { transfer: [prepared.upright.pixels.buffer, prepared.turned.pixels.buffer] });
});
