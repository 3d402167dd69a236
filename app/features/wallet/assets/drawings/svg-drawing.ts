import { passBackgroundSize } from "#app/features/wallet/assets/default-image-model.ts";

/** Numbers from 0 to 1 that are the same each time: mulberry32, by Tommy Ettinger, in the public domain. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A number between two others. */
export function between(random: () => number, low: number, high: number): number {
  return low + random() * (high - low);
}

/** A coordinate with one decimal, which is less than a pixel at any size. */
export function at(value: number): string {
  return String(Math.round(value * 10) / 10);
}

export const { width, height } = passBackgroundSize;

/** Repeats a function, and joins what it returns. */
export function repeat(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join("");
}

/** A background that changes its color from top to bottom, or along `angle` in degrees, clockwise. */
export function ground(stops: readonly string[], angle = 0): string {
  const colors = stops.map(
    (color, index) => `<stop offset="${index / (stops.length - 1 || 1)}" stop-color="${color}"/>`,
  );
  return (
    `<linearGradient id="ground" x1="0" y1="0" x2="0" y2="1" gradientTransform="rotate(${angle} .5 .5)">${colors.join("")}</linearGradient>` +
    `<rect width="${width}" height="${height}" fill="url(#ground)"/>`
  );
}

/** Covers the whole image with a tile. */
export function tiled(tile: { width: number; height: number; turned?: number }, content: string): string {
  const turned = tile.turned === undefined ? "" : ` patternTransform="rotate(${tile.turned})"`;
  return (
    `<pattern id="tile" width="${tile.width}" height="${tile.height}" patternUnits="userSpaceOnUse"${turned}>${content}</pattern>` +
    `<rect width="${width}" height="${height}" fill="url(#tile)"/>`
  );
}

/** A round glow or shade. */
export function glow(id: string, { x, y, radius, color, opacity }: Glow): string {
  return (
    `<radialGradient id="${id}"><stop offset="0" stop-color="${color}" stop-opacity="${opacity}"/>` +
    `<stop offset="1" stop-color="${color}" stop-opacity="0"/></radialGradient>` +
    `<circle cx="${x}" cy="${y}" r="${radius}" fill="url(#${id})"/>`
  );
}

type Glow = { x: number; y: number; radius: number; color: string; opacity: number };
