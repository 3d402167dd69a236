import { findTextAngle } from "./angle-rules.ts";
import { flattenLight, rotate, toGray, toPgm } from "./picture-rules.ts";

/** The pixels of a photo, as a canvas has them. */
export type PictureTask = { width: number; height: number; data: Uint8ClampedArray };

/** The picture with horizontal lines as a file, and the same upside down. */
export type PreparedPicture = { upright: Uint8Array<ArrayBuffer>; turned: Uint8Array<ArrayBuffer> };

/** Prepares a photo for reading. It runs in a worker, because it takes a second on a slow phone. */
function prepare(task: PictureTask): PreparedPicture {
  const flat = flattenLight(toGray(task));
  const angle = findTextAngle(flat);
  return { upright: toPgm(rotate(flat, angle)), turned: toPgm(rotate(flat, angle + 180)) };
}

self.addEventListener("message", ({ data }: MessageEvent<PictureTask>) => {
  const prepared = prepare(data);
  self.postMessage(prepared, { transfer: [prepared.upright.buffer, prepared.turned.buffer] });
});
