import type { Crop } from "#app/features/uploads/rules.ts";

export type ImageSize = { width: number; height: number };
/** A part of the upright image, in its pixels. */
export type CropBox = ImageSize & { left: number; top: number };

/** The requested square, or the largest centered one; undefined when it isn't inside the image. */
export function squareCrop({ width, height }: ImageSize, crop: Crop | undefined): CropBox | undefined {
  if (!crop) return centeredBox({ width, height }, Math.min(width, height), Math.min(width, height));
  const { x, y, size } = crop;
  if (![x, y, size].every(Number.isFinite) || x < 0 || y < 0 || size <= 0) return undefined;
  const side = size * width;
  // Browsers round: allow a tolerance.
  if (x * width + side > width + tolerance || y * height + side > height + tolerance) return undefined;
  const rounded = Math.min(Math.max(1, Math.round(side)), width, height);
  const within = (start: number, most: number) => Math.min(Math.round(start), most - rounded);
  return { left: within(x * width, width), top: within(y * height, height), width: rounded, height: rounded };
}

/** The requested part with these proportions, or the largest centered one; undefined when it isn't inside the image. */
export function proportionalCrop(
  { width, height }: ImageSize,
  proportions: ImageSize,
  crop: Crop | undefined,
): CropBox | undefined {
  const ratio = proportions.height / proportions.width;
  const largest = Math.min(width, height / ratio);
  if (!crop) return centeredBox({ width, height }, rounded(largest, width), rounded(largest * ratio, height));
  const { x, y, size } = crop;
  if (![x, y, size].every(Number.isFinite) || x < 0 || y < 0 || size <= 0) return undefined;
  const box = { width: size * width, height: size * width * ratio };
  if (x * width + box.width > width + tolerance || y * height + box.height > height + tolerance) return undefined;
  const [boxWidth, boxHeight] = [rounded(box.width, width), rounded(box.height, height)];
  return {
    left: Math.min(Math.round(x * width), width - boxWidth),
    top: Math.min(Math.round(y * height), height - boxHeight),
    width: boxWidth,
    height: boxHeight,
  };
}

/** A length in whole pixels, from 1 to `most`. */
function rounded(length: number, most: number): number {
  return Math.min(Math.max(1, Math.round(length)), most);
}

/** The centered part of an image that becomes a banner: at most half and at least a fifth as tall as it is wide. */
export function bannerCrop({ width, height }: ImageSize): CropBox {
  const tallest = Math.max(1, Math.round(width / 2));
  return centeredBox({ width, height }, Math.min(width, height * 5), Math.min(height, tallest));
}

/** The largest centered part of an image that is half as tall as it is wide. */
export function linkImageCrop({ width, height }: ImageSize): CropBox {
  const boxWidth = Math.min(width, height * 2);
  return centeredBox({ width, height }, boxWidth, Math.max(1, Math.floor(boxWidth / 2)));
}

/**
 * How to crop an image and scale the part down to a width; it is never enlarged. The whole image is scaled first and then cropped, so that a
 * JPEG needn't be decoded at full size.
 */
export function planResize(
  image: ImageSize,
  box: CropBox,
  width: number,
): { resize: ImageSize | undefined; extract: CropBox } {
  if (box.width <= width) return { resize: undefined, extract: box };
  const scale = width / box.width;
  const resize = { width: scaled(image.width, scale), height: scaled(image.height, scale) };
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

function centeredBox(image: ImageSize, width: number, height: number): CropBox {
  return {
    left: Math.floor((image.width - width) / 2),
    top: Math.floor((image.height - height) / 2),
    width,
    height,
  };
}

function scaled(length: number, scale: number): number {
  return Math.max(1, Math.round(length * scale));
}

/** In pixels. */
const tolerance = 1;
