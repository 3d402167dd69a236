/** A square on a picture, in percent of its width and height: as react-image-crop wants it. */
export type Square = { unit: "%"; x: number; y: number; width: number; height: number };

/** Width and height in pixels, or in any other measure that both have in common. */
export type PictureSize = { width: number; height: number };

/** How large a part of the picture's width the square takes at first, in percent. */
const startWidth = 90;
/** The smallest square, in percent of the picture's shorter side. */
export const minSize = 10;

/** The square to begin with: in the middle, 90 % as wide as the picture, or less where the picture is not as high. */
export function startSquare(picture: PictureSize): Square {
  return squareAround(
    { x: 50, y: 50 },
    (startWidth * picture.width) / Math.min(picture.width, picture.height),
    picture,
  );
}

/** The square's side in percent of the picture's shorter side: what a slider shows. */
export function sizeOf(square: Square, { width, height }: PictureSize): number {
  return (square.width * width) / Math.min(width, height);
}

/** The same square made larger or smaller around its middle, moved as far as it must to stay on the picture. */
export function resized(square: Square, size: number, picture: PictureSize): Square {
  return squareAround({ x: square.x + square.width / 2, y: square.y + square.height / 2 }, size, picture);
}

/** The square as the server is asked for it: shares of the picture's width (x, size) and height (y), from 0 to 1. */
export function sharesOf({ x, y, width }: Square): { x: string; y: string; size: string } {
  // Cut off and not rounded: no part of the square may lie outside the picture.
  const share = (percent: number) => String(Math.floor(percent * 10_000) / 1_000_000);
  return { x: share(x), y: share(y), size: share(width) };
}

function squareAround(middle: { x: number; y: number }, size: number, { width, height }: PictureSize): Square {
  const side = (Math.min(100, Math.max(minSize, size)) * Math.min(width, height)) / 100;
  const square = { width: (side / width) * 100, height: (side / height) * 100 };
  const place = (at: number, length: number) => Math.min(100 - length, Math.max(0, at - length / 2));
  return { unit: "%", x: place(middle.x, square.width), y: place(middle.y, square.height), ...square };
}
