/** One byte for each pixel, row by row: 0 is black, 255 white. */
export type GrayImage = { width: number; height: number; pixels: Uint8Array<ArrayBuffer> };

/** `rgba`: four bytes for each pixel, as a canvas has them. */
export function toGray({ width, height, data }: { width: number; height: number; data: ArrayLike<number> }) {
  const pixels = new Uint8Array(width * height);
  for (let at = 0; at < pixels.length; at++) {
    const [red = 0, green = 0, blue = 0] = [data[at * 4], data[at * 4 + 1], data[at * 4 + 2]];
    pixels[at] = (red * 77 + green * 150 + blue * 29) >> 8;
  }
  return { width, height, pixels };
}

/**
 * Makes text dark on white, whatever the light: each pixel is compared with the mean of its surroundings, so that shadows and a bright
 * window disappear. A dark card with bright letters is inverted first.
 */
export function flattenLight(image: GrayImage): GrayImage {
  const { width, height, pixels } = isDark(image) ? invert(image) : image;
  const mean = createLocalMean({ width, height, pixels }, Math.round(Math.max(width, height) / 24));
  const flat = new Uint8Array(pixels.length);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      // 20 keeps the noise of dark surroundings small.
      const ratio = ((pixels[at] ?? 0) + 20) / (mean(x, y) + 20);
      flat[at] = Math.max(0, Math.min(255, ((ratio - darkest) / (brightest - darkest)) * 255));
    }
  return { width, height, pixels: flat };
}

/** What becomes black and white, as shares of the local mean. */
const [darkest, brightest] = [0.35, 0.98];

/**
 * Whether the letters in the middle, where the card is, are brighter than what is around them. Letters are fewer than the pixels around
 * them and differ more from the local mean, which the third moment shows.
 */
function isDark(image: GrayImage): boolean {
  const { width, height, pixels } = image;
  const mean = createLocalMean(image, Math.round(Math.max(width, height) / 80));
  let skew = 0;
  for (let y = Math.round(height * 0.3); y < height * 0.7; y++)
    for (let x = Math.round(width * 0.3); x < width * 0.7; x++)
      skew += ((pixels[y * width + x] ?? 0) - mean(x, y)) ** 3;
  return skew > 0;
}

function invert({ width, height, pixels }: GrayImage): GrayImage {
  return { width, height, pixels: pixels.map((value) => 255 - value) };
}

/** The mean of the square around a pixel, `radius` pixels in each direction, from sums over all rectangles at the origin. */
export function createLocalMean(
  { width, height, pixels }: GrayImage,
  radius: number,
): (x: number, y: number) => number {
  const stride = width + 1;
  const sums = new Uint32Array(stride * (height + 1));
  for (let y = 0; y < height; y++) {
    let row = 0;
    for (let x = 0; x < width; x++) {
      row += pixels[y * width + x] ?? 0;
      sums[(y + 1) * stride + x + 1] = (sums[y * stride + x + 1] ?? 0) + row;
    }
  }
  return (x, y) => {
    const [left, right] = [Math.max(0, x - radius), Math.min(width, x + radius + 1)];
    const [top, bottom] = [Math.max(0, y - radius), Math.min(height, y + radius + 1)];
    const at = (column: number, line: number) => sums[line * stride + column] ?? 0;
    const sum = at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top);
    return sum / ((right - left) * (bottom - top));
  };
}

/** Turns an image by `degrees` clockwise around its middle, without cutting anything off; what is new is white. */
export function rotate(image: GrayImage, degrees: number): GrayImage {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const width = Math.ceil(Math.abs(image.width * cos) + Math.abs(image.height * sin));
  const height = Math.ceil(Math.abs(image.width * sin) + Math.abs(image.height * cos));
  const pixels = new Uint8Array(width * height).fill(255);
  const [middleX, middleY] = [(image.width - 1) / 2, (image.height - 1) / 2];
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      const [dx, dy] = [x - (width - 1) / 2, y - (height - 1) / 2];
      pixels[at] = sample(image, middleX + dx * cos + dy * sin, middleY - dx * sin + dy * cos);
    }
  return { width, height, pixels };
}

/** The value between four pixels; white outside. */
function sample({ width, height, pixels }: GrayImage, x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) return 255;
  const at = top * width + left;
  const [right, down] = [x - left, y - top];
  const above = (pixels[at] ?? 0) * (1 - right) + (pixels[at + 1] ?? 0) * right;
  const below = (pixels[at + width] ?? 0) * (1 - right) + (pixels[at + width + 1] ?? 0) * right;
  return above * (1 - down) + below * down;
}

/** As a file (PGM, netpbm.sourceforge.net/doc/pgm.html), which needs no compression. */
export function toPgm({ width, height, pixels }: GrayImage): Uint8Array<ArrayBuffer> {
  const header = new TextEncoder().encode(`P5\n${width} ${height}\n255\n`);
  const file = new Uint8Array(header.length + pixels.length);
  file.set(header);
  file.set(pixels, header.length);
  return file;
}
