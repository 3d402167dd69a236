import { at, between, createRandom, glow, ground, height, repeat, width } from "./svg-drawing.ts";

export const inkDrawings: Record<string, () => string> = { sumi, enso, ridges, moon, rain, marble, bamboo, drops };

/** Many hairs of one brush, some of which run dry. */
function sumi(): string {
  const random = createRandom(7);
  const hairs = repeat(74, (index) => {
    const across = (index / 73 - 0.5) * 210;
    const start = between(random, -60, 30);
    const end = between(random, 380, 640) - Math.abs(across) * 0.6;
    const y = 330 + across;
    return `<path d="M${at(start)} ${at(y + 60)}C${at(start + 150)} ${at(y - 60)} ${at(end - 120)} ${at(y + 70)} ${at(end)} ${at(y - 30)}" stroke-width="${at(between(random, 1.5, 4.6))}" stroke-opacity="${at(between(random, 0.1, 0.5))}"/>`;
  });
  return ground(["#fbf9f4", "#f2eee4"]) + `<g fill="none" stroke="#8d887b" stroke-linecap="round">${hairs}</g>`;
}

function enso(): string {
  const random = createRandom(19);
  const hairs = repeat(46, (index) => {
    const radius = 178 + index * 1.35 + between(random, -1, 1);
    const start = between(random, -0.9, -0.7);
    const end = start + between(random, 5.1, 5.75) - (index > 30 ? between(random, 0, 0.9) : 0);
    const point = (angle: number) => `${at(270 + Math.cos(angle) * radius)} ${at(330 + Math.sin(angle) * radius)}`;
    return `<path d="M${point(start)}A${at(radius)} ${at(radius)} 0 1 1 ${point(end)}" stroke-width="${at(between(random, 0.8, 2.6))}" stroke-opacity="${at(between(random, 0.2, 0.7))}"/>`;
  });
  return ground(["#1b1d23", "#131418"]) + `<g fill="none" stroke="#5a5f6b" stroke-linecap="round">${hairs}</g>`;
}

/** A line of hills from the left to the right edge, and everything below it. */
function hills(seed: number, top: number, rise: number): string {
  const random = createRandom(seed);
  const [first, second, third] = [random() * 6, random() * 6, random() * 6];
  const points = Array.from({ length: 46 }, (_, index) => {
    const x = index * 12;
    const y = Math.sin(x / 118 + first) * 0.6 + Math.sin(x / 47 + second) * 0.28 + Math.sin(x / 19 + third) * 0.12;
    return `${x} ${at(top - y * rise)}`;
  });
  return `M${points.join("L")}V${height}H0Z`;
}

function ridges(): string {
  const shades = ["#dfddd6", "#d0cfca", "#bfbfbc", "#adafb0"];
  const drawn = shades.map((shade, index) => {
    const top = 250 + index * 105;
    return (
      `<linearGradient id="ridge${index}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${shade}"/>` +
      `<stop offset=".8" stop-color="#f1eee7"/></linearGradient>` +
      `<path d="${hills(41 + index * 5, top, 90 - index * 8)}" fill="url(#ridge${index})"/>`
    );
  });
  return ground(["#f6f3ec", "#ebe8e0"]) + drawn.join("");
}

function moon(): string {
  return (
    ground(["#161922", "#20242e", "#161922"]) +
    glow("halo", { x: 390, y: 170, radius: 240, color: "#7d8494", opacity: 0.35 }) +
    `<circle cx="390" cy="170" r="78" fill="#5b606a"/>` +
    `<path d="${hills(77, 470, 60)}" fill="#13161d"/><path d="${hills(83, 560, 46)}" fill="#0d0f14"/>`
  );
}

function rain(): string {
  const random = createRandom(23);
  const drops = repeat(240, () => {
    const [x, y, length] = [between(random, -40, width + 40), between(random, -60, height), between(random, 24, 110)];
    return `<path d="M${at(x)} ${at(y)}l${at(-length * 0.22)} ${at(length)}" stroke-opacity="${at(between(random, 0.2, 0.8))}"/>`;
  });
  return ground(["#20242c", "#13151b"]) + `<g stroke="#4c535f" stroke-width="1.4" stroke-linecap="round">${drops}</g>`;
}

function marble(): string {
  const rings = repeat(30, (index) => {
    const points = Array.from({ length: 49 }, (_, step) => {
      const angle = (step / 48) * Math.PI * 2;
      const swell = Math.sin(angle * 3 + index * 0.16) * 0.16 + Math.sin(angle * 5 - index * 0.11) * 0.08;
      const radius = (14 + index * 17) * (1 + swell);
      return `${at(200 + Math.cos(angle) * radius)} ${at(260 + Math.sin(angle) * radius * 1.12)}`;
    });
    return `<path d="M${points.join("L")}Z" stroke-width="${index % 4 === 0 ? 5 : 2}" stroke-opacity="${index % 3 === 0 ? 0.8 : 0.45}"/>`;
  });
  return ground(["#1d212a", "#15181f"], 30) + `<g fill="none" stroke="#454d5b" stroke-linejoin="round">${rings}</g>`;
}

function bamboo(): string {
  const stalks = [
    { x: 90, wide: 34, shade: "#cfcec3" },
    { x: 205, wide: 18, shade: "#dddbd1" },
    { x: 410, wide: 42, shade: "#c8c7bc" },
    { x: 490, wide: 16, shade: "#e0ded5" },
  ].map(({ x, wide, shade }, index) => {
    const parts = repeat(6, (part) => {
      const top = part * 150 - 60 - index * 37;
      return `<rect x="${x}" y="${top}" width="${wide}" height="143" rx="4" fill="${shade}"/><rect x="${x - 2}" y="${top + 143}" width="${wide + 4}" height="4" rx="2" fill="#c3c2b6"/>`;
    });
    return parts;
  });
  const leaf = (x: number, y: number, turn: number) =>
    `<path d="M0 0C40 -16 90 -12 130 6C88 14 36 14 0 0Z" transform="translate(${x} ${y}) rotate(${turn})"/>`;
  const leaves = [
    leaf(128, 180, 24),
    leaf(124, 184, 58),
    leaf(408, 320, 150),
    leaf(404, 326, 112),
    leaf(222, 430, 30),
    leaf(450, 90, 70),
  ];
  return ground(["#f8f5ed", "#eeebe1"]) + stalks.join("") + `<g fill="#c6c6b9">${leaves.join("")}</g>`;
}

function drops(): string {
  const blots = [
    { x: 150, y: 190, radius: 190 },
    { x: 410, y: 430, radius: 230 },
    { x: 120, y: 560, radius: 120 },
    { x: 440, y: 110, radius: 90 },
  ].map(({ x, y, radius }, index) => {
    const stain =
      `<radialGradient id="blot${index}"><stop offset="0" stop-color="#a9a69d" stop-opacity=".5"/><stop offset=".55" stop-color="#b5b2a9" stop-opacity=".42"/>` +
      `<stop offset=".72" stop-color="#a5a299" stop-opacity=".5"/><stop offset=".78" stop-color="#c9c6bd" stop-opacity=".22"/><stop offset="1" stop-color="#d5d2c9" stop-opacity="0"/></radialGradient>`;
    return `${stain}<circle cx="${x}" cy="${y}" r="${radius}" fill="url(#blot${index})"/>`;
  });
  return ground(["#faf8f2", "#f3f0e8"]) + blots.join("");
}
