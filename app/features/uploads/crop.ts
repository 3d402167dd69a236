import type { Crop } from "./rules.ts";

export type Size = { width: number; height: number };
/** A part of the upright picture, in its own pixels. */
export type Box = Size & { left: number; top: number };

/** The square that was chosen, or the largest in the middle; undefined when it is not inside the picture. */
export function squareOf({ width, height }: Size, crop: Crop | undefined): Box | undefined {
  if (!crop) return middle({ width, height }, Math.min(width, height), Math.min(width, height));
  const { x, y, size } = crop;
  if (![x, y, size].every(Number.isFinite) || x < 0 || y < 0 || size <= 0) return undefined;
  const side = size * width;
  // What a browser calculates may be off by a hair.
  if (x * width + side > width + TOLERANCE || y * height + side > height + TOLERANCE) return undefined;
  const whole = Math.min(Math.max(1, Math.round(side)), width, height);
  const within = (start: number, most: number) => Math.min(Math.round(start), most - whole);
  return { left: within(x * width, width), top: within(y * height, height), width: whole, height: whole };
}

/** The middle of a picture as a banner: at most half as tall as it is wide, at least a fifth. */
export function bannerOf({ width, height }: Size): Box {
  const tallest = Math.max(1, Math.round(width / 2));
  return middle({ width, height }, Math.min(width, height * 5), Math.min(height, tallest));
}

/**
 * How to get a part of a picture at a width, never enlarged: the whole is made smaller first and the part taken from that, so that a
 * JPEG need not be decoded in full size.
 */
export function planOf(picture: Size, box: Box, width: number): { resize: Size | undefined; extract: Box } {
  if (box.width <= width) return { resize: undefined, extract: box };
  const scale = width / box.width;
  const resize = { width: scaled(picture.width, scale), height: scaled(picture.height, scale) };
  const extract = { width, height: Math.min(scaled(box.height, scale), resize.height) };
  return {
    resize,
    extract: {
      ...extract,
      left: Math.min(Math.round(box.left * scale), resize.width - extract.width),
      top: Math.min(Math.round(box.top * scale), resize.height - extract.height),
    },
  };
}

function middle(picture: Size, width: number, height: number): Box {
  return {
    left: Math.floor((picture.width - width) / 2),
    top: Math.floor((picture.height - height) / 2),
    width,
    height,
  };
}

function scaled(length: number, scale: number): number {
  return Math.max(1, Math.round(length * scale));
}

/** In pixels. */
const TOLERANCE = 1;
