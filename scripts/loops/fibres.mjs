import { createChance, createNoise } from "./noise.mjs";

const count = 150;
const turn = 2 * Math.PI;

/** Long curved strands, each moving on a small closed path, so that the loop is seamless. */
export function createFibres(seed) {
  const strands = strandsFrom(seed);
  /** The brightness of each pixel at this time of the loop, row by row. */
  return (time, { width, height }) => {
    const sheet = new Float32Array(width * height);
    for (const strand of strands) lay(strand, { time, sheet, width, height });
    return sheet;
  };
}

function strandsFrom(seed) {
  const chance = createChance(seed);
  const bend = createNoise(seed + 1);
  return Array.from({ length: count }, (_, at) => {
    const depth = chance();
    const length = 0.25 + 0.55 * chance();
    const heading = -0.5 + 1.1 * (chance() - 0.5) * 2;
    const start = { x: chance() * 1.9 - 0.1, y: chance() * 1.2 - 0.1 };
    const points = [];
    let { x, y } = start;
    const steps = Math.ceil(length * 420);
    for (let step = 0; step < steps; step++) {
      const direction = heading + 1.5 * bend.at(at * 7.3, (step / 420) * 4.2, 0.5, 4);
      x += Math.cos(direction) / 420;
      y += Math.sin(direction) / 420;
      points.push(x, y);
    }
    // Deeper strands are out of focus, fainter, and move less.
    return {
      points,
      radius: 0.0016 + 0.016 * depth * depth,
      strength: (0.25 + 0.6 * chance()) / (1 + 4 * depth),
      orbit: (0.012 + 0.03 * chance()) * (1.2 - depth),
      phase: chance() * turn,
      way: chance() < 0.5 ? -1 : 1,
    };
  });
}

function lay(strand, { time, sheet, width, height }) {
  const { points, radius, strength, orbit, phase, way } = strand;
  const angle = way * turn * time + phase;
  const dx = orbit * Math.cos(angle);
  const dy = 0.6 * orbit * Math.sin(angle);
  const r = Math.max(0.8, radius * height);
  const reach = Math.ceil(2.2 * r);
  const last = points.length / 2 - 1;
  const weight = (strength * height) / 420 / r / 1.8;
  for (let at = 0; at <= last; at++) {
    const cx = (points[2 * at] + dx) * height;
    const cy = (points[2 * at + 1] + dy) * height;
    // The ends taper.
    const ends = Math.min(1, at / 24, (last - at) / 24) * weight;
    const fromX = Math.max(0, Math.floor(cx - reach));
    const toX = Math.min(width - 1, Math.ceil(cx + reach));
    const toY = Math.min(height - 1, Math.ceil(cy + reach));
    for (let py = Math.max(0, Math.floor(cy - reach)); py <= toY; py++) {
      for (let px = fromX; px <= toX; px++) {
        const far = ((px - cx) ** 2 + (py - cy) ** 2) / (r * r);
        if (far < 4.8) sheet[py * width + px] += ends * Math.exp(-far);
      }
    }
  }
}
