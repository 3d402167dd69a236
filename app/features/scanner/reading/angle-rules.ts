import { createLocalMean } from "./image-rules.ts";
import type { GrayImage } from "./image-rules.ts";

/**
 * By how many degrees clockwise an image is to be turned for its lines of text to be horizontal: from -90 to 90. They may be upside down
 * then. In the direction of the lines, rows full of ink alternate with empty ones.
 */
export function findTextAngle(image: GrayImage): number {
  const ink = findInk(shrink(image, searchSize));
  const best = (angles: number[]) =>
    angles
      .map((angle) => ({ angle, score: scoreAngle(ink, angle) }))
      .reduce((found, next) => (next.score > found.score ? next : found), { angle: 0, score: -1 }).angle;
  const coarse = best(steps(-90, 90, 2));
  return best(steps(coarse - 2, coarse + 2, 0.25));
}

/** The longer side of the image that is searched, in pixels. */
const searchSize = 600;

function steps(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.round((to - from) / step) }, (_, index) => from + index * step);
}

type Ink = { xs: Float32Array; ys: Float32Array; radius: number };

/** The pixels that are darker than their surroundings, as positions from the middle. */
function findInk(image: GrayImage): Ink {
  const { width, height, pixels } = image;
  const mean = createLocalMean(image, 8);
  const [xs, ys]: [number[], number[]] = [[], []];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if ((pixels[y * width + x] ?? 255) < mean(x, y) - 24) {
        xs.push(x - width / 2);
        ys.push(y - height / 2);
      }
  return { xs: Float32Array.from(xs), ys: Float32Array.from(ys), radius: Math.ceil(Math.hypot(width, height) / 2) + 1 };
}

/** How much the amount of ink differs from one row to the next, once turned by so many degrees. */
function scoreAngle({ xs, ys, radius }: Ink, degrees: number): number {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const rows = new Float32Array(radius * 2);
  for (let at = 0; at < xs.length; at++) {
    const row = Math.round((ys[at] ?? 0) * cos + (xs[at] ?? 0) * sin) + radius;
    rows[row] = (rows[row] ?? 0) + 1;
  }
  let score = 0;
  for (let row = 1; row < rows.length; row++) score += ((rows[row] ?? 0) - (rows[row - 1] ?? 0)) ** 2;
  return score;
}

/** The mean of each square of pixels, so that the longer side has at most `size`. */
function shrink(image: GrayImage, size: number): GrayImage {
  const step = Math.ceil(Math.max(image.width, image.height) / size);
  const [width, height] = [Math.floor(image.width / step), Math.floor(image.height / step)];
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let down = 0; down < step; down++)
        for (let right = 0; right < step; right++)
          sum += image.pixels[(y * step + down) * image.width + x * step + right] ?? 0;
      pixels[y * width + x] = sum / (step * step);
    }
  return { width, height, pixels };
}
