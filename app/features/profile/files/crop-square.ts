/** A square on an image in percent of its width and height, the format of react-image-crop. */
export type CropSquare = { unit: "%"; x: number; y: number; width: number; height: number };

/** Width and height in pixels, or in any other unit. */
export type ImageSize = { width: number; height: number };

/** The width of the initial square in percent of the image's width. */
const initialWidth = 90;
/** The smallest square in percent of the image's shorter side. */
export const minSize = 10;

/** Centered, and 90 % as wide as the image, or less if the image isn't that high. */
export function initialSquare(image: ImageSize): CropSquare {
  return squareAround({ x: 50, y: 50 }, (initialWidth * image.width) / Math.min(image.width, image.height), image);
}

/** The side of the square in percent of the image's shorter side, for a slider. */
export function squareSize(square: CropSquare, { width, height }: ImageSize): number {
  return (square.width * width) / Math.min(width, height);
}

/** Resizes a square around its center, and moves it if necessary to stay inside the image. */
export function resizeSquare(square: CropSquare, size: number, image: ImageSize): CropSquare {
  return squareAround({ x: square.x + square.width / 2, y: square.y + square.height / 2 }, size, image);
}

/** The square for the server: fractions from 0 to 1 of the image's width (x, size) and height (y). */
export function toFractions({ x, y, width }: CropSquare): { x: string; y: string; size: string } {
  // Rounded down, so that no part of the square is outside the image.
  const fraction = (percent: number) => String(Math.floor(percent * 10_000) / 1_000_000);
  return { x: fraction(x), y: fraction(y), size: fraction(width) };
}

function squareAround(center: { x: number; y: number }, size: number, { width, height }: ImageSize): CropSquare {
  const side = (Math.min(100, Math.max(minSize, size)) * Math.min(width, height)) / 100;
  const square = { width: (side / width) * 100, height: (side / height) * 100 };
  const start = (middle: number, length: number) => Math.min(100 - length, Math.max(0, middle - length / 2));
  return { unit: "%", x: start(center.x, square.width), y: start(center.y, square.height), ...square };
}
