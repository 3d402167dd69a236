import { createChance } from "./noise.mjs";
import { scenes } from "./scenes.mjs";

/** The length of a loop in frames, and its frame rate. */
export const frames = 168;
export const rate = 24;

// The design's colors: the dark background, the warm and the cool light, paper white.
const ground = [14, 15, 18];
const warmDeep = [110, 43, 28];
const warm = [207, 106, 74];
const cool = [38, 57, 94];
const paper = [244, 241, 234];

/**
 * One frame of a loop as RGB with 16 bits per channel, row by row. `grain` prevents banding at 8 bits: about one level of noise,
 * different in each frame.
 */
export function drawFrame(name, { frame, width, height, grain = true }) {
  const size = { width, height };
  const shine = sceneOf(name)(frame / frames, size);
  const chance = createChance(0x9e3779b9 ^ (frame + 1));
  const picture = new Uint16Array(width * height * 3);
  const light = { pixel: 0, warm: 0, cool: 0, white: 0 };
  for (let at = 0; at < width * height; at++) {
    light.pixel = at;
    shine(((at % width) + 0.5) / height, (Math.floor(at / width) + 0.5) / height, light);
    const noise = grain ? (chance() + chance() - 1) * 1.6 : 0;
    const hot = Math.min(1, light.warm);
    for (let channel = 0; channel < 3; channel++) {
      const value =
        ground[channel] +
        hot * (1 - hot) * warmDeep[channel] * 0.9 +
        hot * hot * warm[channel] * 0.8 +
        light.cool * cool[channel] * 0.9 +
        light.white * paper[channel];
      picture[3 * at + channel] = Math.min(65_535, Math.max(0, Math.round((soft(value) + noise) * 257)));
    }
  }
  return picture;
}

const made = new Map();

function sceneOf(name) {
  const scene = made.get(name) ?? scenes[name]();
  made.set(name, scene);
  return scene;
}

/** Compresses highlights softly instead of clipping them. */
function soft(value) {
  return value < 140 ? value : 140 + 115 * (1 - Math.exp(-(value - 140) / 115));
}
