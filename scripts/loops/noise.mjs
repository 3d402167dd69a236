// oxlint-disable max-params -- called a hundred million times per loop with a point and a time: no objects in between
/**
 * Gradient noise (Perlin 2002) in two dimensions and time. Time repeats after `period`, which makes the loop seamless. The result
 * depends only on the seed, so each run draws the same.
 */
export function createNoise(seed) {
  const shuffled = permutation(seed);
  const gradient = (hash, x, y, z) => {
    const h = hash & 15;
    const u = h < 8 ? x : y;
    const v = h < 4 ? y : h === 12 || h === 14 ? x : z;
    return ((h & 1) === 0 ? u : -u) + ((h & 2) === 0 ? v : -v);
  };

  /** About -1 to 1. */
  function at(x, y, z, period) {
    const left = Math.floor(x);
    const top = Math.floor(y);
    const front = Math.floor(z);
    const fx = x - left;
    const fy = y - top;
    const fz = z - front;
    const near = ((front % period) + period) % period;
    const far = (near + 1) % period;
    const u = fade(fx);
    const v = fade(fy);
    const row = shuffled[left & 255] + top;
    const nextRow = shuffled[(left + 1) & 255] + top;
    const a = shuffled[row & 255];
    const b = shuffled[(row + 1) & 255];
    const c = shuffled[nextRow & 255];
    const d = shuffled[(nextRow + 1) & 255];
    const layer = (z, dz) =>
      mix(
        mix(gradient(shuffled[(a + z) & 255], fx, fy, dz), gradient(shuffled[(c + z) & 255], fx - 1, fy, dz), u),
        mix(
          gradient(shuffled[(b + z) & 255], fx, fy - 1, dz),
          gradient(shuffled[(d + z) & 255], fx - 1, fy - 1, dz),
          u,
        ),
        v,
      );
    return mix(layer(near, fz), layer(far, fz - 1), fade(fz));
  }

  /** Several octaves, each half as large and half as strong as the one before. */
  function clouds(x, y, z, { period, sizes }) {
    let sum = 0;
    let strength = 0.5;
    for (let size = 0; size < sizes; size++) {
      sum += strength * at(x, y, z, period);
      x = x * 2.02 + 17.3;
      y = y * 2.02 + 5.7;
      strength *= 0.5;
    }
    return sum;
  }

  return { at, clouds };
}

/** Pseudorandom numbers from 0 to 1 (mulberry32). */
export function createChance(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function mix(from, to, share) {
  return from + (to - from) * share;
}

/** 0 below `from`, 1 above `to`, and a smooth transition between them. */
export function rise(from, to, value) {
  const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return share * share * (3 - 2 * share);
}

/** A round light: 1 in its center, 0 from about twice `size`. */
export function glow(x, y, { size, tall = 1 }) {
  return Math.exp(-(x * x + (y * y) / (tall * tall)) / (size * size));
}

function fade(t) {
  return t * t * t * (t * (t * 6 - 15) + 10);
}

function permutation(seed) {
  const chance = createChance(seed);
  const order = Uint8Array.from({ length: 256 }, (_, at) => at);
  for (let at = 255; at > 0; at--) {
    const other = Math.floor(chance() * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
}
