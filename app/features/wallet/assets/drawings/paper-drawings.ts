import { at, between, createRandom, glow, ground, height, repeat, width } from "./svg-drawing.ts";

/** The content of an SVG of 540 by 660, by the id of the image. */
export const paperDrawings: Record<string, () => string> = { washi, kozo, laid, sheets, folds, kraft };

function washi(): string {
  const light = glow("light", { x: 150, y: 120, radius: 460, color: "#ffffff", opacity: 0.55 });
  return (
    ground(["#f8f4ea", "#f0e9db"]) +
    light +
    fibers({ seed: 3, count: 90, color: "#a8987a", length: 120 }) +
    fibers({ seed: 4, count: 60, color: "#ffffff", length: 160 })
  );
}

function kozo(): string {
  const random = createRandom(11);
  const flecks = repeat(170, () => {
    const [x, y, size] = [between(random, 0, width), between(random, 0, height), between(random, 1, 4)];
    const turn = between(random, 0, 180);
    return `<ellipse cx="${at(x)}" cy="${at(y)}" rx="${at(size * 2.2)}" ry="${at(size)}" transform="rotate(${at(turn)} ${at(x)} ${at(y)})"/>`;
  });
  return (
    ground(["#fffefb", "#f4f1ea"], 20) +
    `<g fill="#d8d2c4" opacity=".35">${flecks}</g>` +
    fibers({ seed: 12, count: 40, color: "#b8b09e", length: 200 })
  );
}

/** Curved hairs that lie in all directions. */
function fibers({
  seed,
  count,
  color,
  length,
}: {
  seed: number;
  count: number;
  color: string;
  length: number;
}): string {
  const random = createRandom(seed);
  const hairs = repeat(count, () => {
    const [x, y] = [between(random, -20, width), between(random, -20, height)];
    const [angle, long] = [between(random, 0, Math.PI * 2), between(random, length * 0.25, length)];
    const bend = between(random, -0.8, 0.8);
    const middle = [Math.cos(angle + bend) * long * 0.5, Math.sin(angle + bend) * long * 0.5].map(at).join(" ");
    const end = [Math.cos(angle) * long, Math.sin(angle) * long].map(at).join(" ");
    return `<path d="M${at(x)} ${at(y)}q${middle} ${end}" stroke-width="${at(between(random, 0.5, 1.6))}"/>`;
  });
  return `<g fill="none" stroke="${color}" stroke-opacity=".28" stroke-linecap="round">${hairs}</g>`;
}

function laid(): string {
  const lines = repeat(
    132,
    (index) => `<path d="M0 ${index * 5 + 2.5}h${width}" stroke-opacity="${index % 3 === 0 ? 0.5 : 0.3}"/>`,
  );
  const chains = repeat(
    7,
    (index) => `<path d="M${40 + index * 78} 0v${height}" stroke-width="1.6" stroke-opacity=".38"/>`,
  );
  return ground(["#f9f6ee", "#f1ebde"]) + `<g stroke="#d3c8b1" fill="none">${lines}${chains}</g>`;
}

function sheets(): string {
  const edges = [
    { top: 130, bend: 70, color: "#f4efe5" },
    { top: 250, bend: -80, color: "#f9f5ec" },
    { top: 380, bend: 60, color: "#efe9dc" },
    { top: 500, bend: -50, color: "#f6f1e7" },
  ];
  const drawn = edges.map(({ top, bend, color }, index) => {
    const edge = (lift: number) =>
      `M-20 ${top + lift}C160 ${top + bend + lift} 380 ${top - bend + lift} 560 ${top + bend / 2 + lift}V680H-20Z`;
    // A shadow in steps: a blur would need a filter.
    const shadow = repeat(7, (step) => `<path d="${edge(-2 - step * 2.5)}" fill="#6b5f48" opacity=".026"/>`);
    return `${shadow}<path d="${edge(0)}" fill="${color}"/>${index % 2 === 0 ? `<path d="${edge(0)}" fill="none" stroke="#fff" stroke-opacity=".7"/>` : ""}`;
  });
  return ground(["#fdfbf7", "#f3eee3"]) + drawn.join("");
}

function folds(): string {
  const facets: [string, string][] = [
    ["0,0 300,0 180,210", "#f8f4ea"],
    ["300,0 540,0 540,150 180,210", "#f1eadc"],
    ["0,0 180,210 0,330", "#ece4d4"],
    ["540,150 180,210 390,400", "#faf6ee"],
    ["0,330 180,210 390,400 130,520", "#f4eee1"],
    ["540,150 540,430 390,400", "#e6decd"],
    ["0,330 130,520 0,660", "#f9f5ec"],
    ["130,520 390,400 330,660 0,660", "#e9e1d1"],
    ["390,400 540,430 540,660 330,660", "#f5efe3"],
  ];
  const drawn = facets.map(
    ([points, color]) =>
      `<polygon points="${points}" fill="${color}" stroke="#fffdf8" stroke-width="1.2" stroke-opacity=".8"/>`,
  );
  return ground(["#f4eee1", "#f4eee1"]) + drawn.join("");
}

function kraft(): string {
  const random = createRandom(29);
  const specks = repeat(420, (index) => {
    const color = index % 3 === 0 ? "#f0e0c6" : "#7d6340";
    return `<circle cx="${at(between(random, 0, width))}" cy="${at(between(random, 0, height))}" r="${at(between(random, 0.5, 1.7))}" fill="${color}"/>`;
  });
  return (
    ground(["#d1ba97", "#c5ad88"], 15) +
    `<g opacity=".32">${specks}</g>` +
    fibers({ seed: 30, count: 70, color: "#8d734f", length: 60 })
  );
}
