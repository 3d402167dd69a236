import { createNoise, glow, mix, rise } from "./noise.mjs";
import { createFibres } from "./fibres.mjs";

/**
 * Paper, ink and seal as light on a dark background. A scene takes the position in the loop (0 to 1) and returns a function of a point
 * (x from 0 to 16/9, y from 0 to 1) that writes the amounts of warm, cool and white light, each about 0 to 1, into `light`, whose `pixel`
 * counts row by row. The motion is on the right, where the card meets the phone; the left, behind the text, is quiet.
 */
export const scenes = { ink, fibres, edge, rings };

const turn = 2 * Math.PI;
/** The point where the card meets the phone. */
const middle = { x: 1.2, y: 0.46 };

/** Ink unfolding in water. */
function ink() {
  const noise = createNoise(11);
  return (time) => {
    const z = time * 2;
    const sway = 0.05 * Math.sin(turn * time);
    return (x, y, light) => {
      const px = x * 1.25 + sway;
      const py = y * 1.25 - sway * 0.6;
      const qx = noise.clouds(px, py, z, { period: 2, sizes: 3 });
      const qy = noise.clouds(px + 5.2, py + 1.3, z, { period: 2, sizes: 3 });
      const rx = px + 1.9 * qx;
      const ry = py + 1.9 * qy;
      const veil = noise.clouds(rx, ry, z, { period: 2, sizes: 4 });
      const fold = 1 - Math.abs(2.4 * noise.clouds(rx * 1.3 + 8, ry * 1.3 - 4, z, { period: 2, sizes: 3 }));
      const body = rise(-0.22, 0.42, veil);
      const thread = Math.max(0, fold) ** 5;
      const here = glow(x - middle.x - 0.08, y - middle.y + 0.1, { size: 0.62, tall: 0.85 });
      const below = glow(x - 0.75, y - 0.86, { size: 0.62, tall: 0.62 });
      light.warm = here * (0.12 + 0.66 * body + 0.5 * thread * body);
      light.cool = below * (0.16 + 0.8 * body + 0.35 * thread) + here * 0.3 * (1 - body);
      light.white = here * 0.16 * thread * body;
    };
  };
}

/** The fibers of a sheet of paper in a moving light from the side. */
function fibres() {
  const noise = createNoise(23);
  const drawn = createFibres(7);
  return (time, size) => {
    const sheet = drawn(time, size);
    const lampX = middle.x + 0.1 + 0.16 * Math.cos(turn * time);
    const lampY = 0.4 + 0.1 * Math.sin(turn * time);
    return (x, y, light) => {
      const lamp = glow(x - lampX, y - lampY, { size: 0.66, tall: 0.8 });
      const shade = glow(x - 0.66, y - 0.92, { size: 0.66, tall: 0.6 });
      const pulp = 0.5 + 0.5 * noise.clouds(x * 5, y * 5, 0, { period: 1, sizes: 3 });
      const strand = sheet[light.pixel];
      light.warm = lamp * (0.2 + 0.26 * pulp + 0.8 * strand);
      light.cool = shade * (0.3 + 0.3 * pulp + 0.9 * strand) + lamp * 0.1;
      light.white = lamp * lamp * 0.22 * strand;
    };
  };
}

/** A close-up of a hand of cards that opens a little and closes again; the edges catch the light one after the other. */
function edge() {
  const noise = createNoise(31);
  const cards = Array.from({ length: 5 }, (_, at) => at);
  return (time) => {
    const pivot = { x: 1.62, y: 1.5 };
    const sheets = cards.map((at) => {
      const angle = -2.62 + at * (0.235 + 0.035 * Math.sin(turn * time)) + 0.03 * Math.sin(turn * time + at);
      return {
        // Coordinates of the edge: across it, and along it from the hand outward.
        normal: { x: -Math.sin(angle), y: Math.cos(angle) },
        along: { x: Math.cos(angle), y: Math.sin(angle) },
        spark: 0.5 + 0.5 * Math.sin(turn * time - at * 1.25),
        glint: 1.05 + 0.34 * Math.sin(turn * time - at * 0.9),
      };
    });
    return (x, y, light) => {
      const dx = x - pivot.x;
      const dy = y - pivot.y;
      const lamp = glow(x - middle.x - 0.16, y - 0.36, { size: 0.74, tall: 0.8 });
      const below = glow(x - 0.72, y - 0.92, { size: 0.66, tall: 0.55 });
      const pulp = noise.clouds(x * 2.2, y * 2.2, 0, { period: 1, sizes: 2 });
      let warm = 0.1;
      let cool = 0.18;
      let white = 0;
      for (const { normal, along, spark, glint } of sheets) {
        const across = dx * normal.x + dy * normal.y;
        const out = dx * along.x + dy * along.y;
        if (across < -0.5) continue;
        const covers = rise(-0.004, 0.004, across);
        // The card above shades the one below it, most of all near its edge.
        const shadow = 1 - 0.72 * Math.exp(Math.min(0, across) * 9) * (1 - covers);
        const face = 0.13 + 0.3 * Math.exp(-across * 5) + 0.05 * pulp;
        warm = mix(warm * shadow, face, covers);
        cool = mix(cool * shadow, 0.3 + 0.12 * Math.exp(-across * 4), covers);
        const shine = Math.exp(-(across * across) / 0.00006) * Math.exp(-((out - glint) ** 2) / 0.16);
        warm += shine * (0.25 + 0.5 * spark);
        white = white * shadow + shine * 0.24 * spark;
      }
      light.warm = lamp * (0.12 + 1.35 * warm);
      light.cool = below * (0.25 + cool) + lamp * cool * 0.3;
      light.white = lamp * white;
    };
  };
}

/** Suminagashi: rings of ink that float on water and widen. */
function rings() {
  const noise = createNoise(47);
  return (time) => {
    const z = time * 2;
    return (x, y, light) => {
      const bend = noise.clouds(x * 1.15, y * 1.15, z, { period: 2, sizes: 3 });
      const curl = noise.clouds(x * 1.15 + 9, y * 1.15 + 3, z, { period: 2, sizes: 3 });
      const dx = x - middle.x + 0.42 * bend;
      const dy = (y - middle.y + 0.42 * curl) * 1.12;
      const away = Math.hypot(dx, dy);
      // The outer rings are closer together, as with ink that is dropped repeatedly.
      const wave = Math.cos(turn * (7.4 * away ** 0.8 - time));
      const thick = 0.5 + 0.5 * noise.at(x * 2.4 - 4, y * 2.4, z, 2);
      const line = Math.max(0, wave) ** (3 + 9 * (1 - thick));
      const wash = 0.5 + 0.5 * wave;
      const spread = Math.exp(-away * 2.2);
      const thin = rise(0.2, 0.75, thick);
      const far = glow(x - 0.72, y - 0.9, { size: 0.62, tall: 0.6 });
      light.warm = spread * (0.26 + 0.2 * wash * thick + 0.62 * line * thin);
      light.cool = far * (0.34 + 0.14 * wash + 0.5 * line * thin) + mix(0.1, 0.3, line * thin) * spread * (1 - spread);
      light.white = spread * spread * 0.24 * line * thin;
    };
  };
}
