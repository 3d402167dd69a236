import { at, ground, repeat, tiled } from "./svg-drawing.ts";

/** Traditional Japanese textile patterns, which belong to no one. */
export const patternDrawings: Record<string, () => string> = {
  waves,
  hemp,
  circles,
  tortoise,
  scales,
  arrows,
  steam,
  stripes,
};

function waves(): string {
  const fan = (x: number, y: number) =>
    repeat(4, (index) => {
      const radius = 45 - index * 11;
      const fill = index % 2 === 0 ? "#1a3156" : "#2b4670";
      return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}" stroke="#38537e" stroke-width="1.6"/>`;
    });
  // From the top to the bottom, so that each row covers the one above it.
  const rows = fan(0, 0) + fan(90, 0) + fan(45, 22.5) + fan(0, 45) + fan(90, 45) + fan(45, 67.5);
  return (
    ground(["#14294a", "#14294a"]) + tiled({ width: 90, height: 45 }, `<g transform="translate(0 -22.5)">${rows}</g>`)
  );
}

function hemp(): string {
  // Half the side and the height of a triangle of the grid.
  const [half, tall] = [45, 78];
  const star = (x: number, y: number) =>
    repeat(6, (index) => {
      const corner = (turn: number, radius: number) => {
        const angle = ((index * 60 + turn) * Math.PI) / 180;
        return `${at(x + Math.cos(angle) * radius)} ${at(y + Math.sin(angle) * radius)}`;
      };
      return `<path d="M${x} ${y}L${corner(0, 90)}M${x} ${y}L${corner(30, 52)}L${corner(0, 90)}M${corner(30, 52)}L${corner(60, 90)}"/>`;
    });
  const stars = [star(0, 0), star(half * 2, 0), star(half, tall), star(0, tall * 2), star(half * 2, tall * 2)].join("");
  const lines = `<g fill="none" stroke="#dfd6c1" stroke-width="2">${stars}</g>`;
  return ground(["#faf6ec", "#f4eee0"]) + tiled({ width: half * 2, height: tall * 2 }, lines);
}

function circles(): string {
  const ring = (x: number, y: number) => `<circle cx="${x}" cy="${y}" r="42"/>`;
  const rings = [ring(0, 0), ring(60, 0), ring(0, 60), ring(60, 60), ring(30, 30)].join("");
  const dots = `<g fill="#3d655f"><circle cx="30" cy="0" r="3.5"/><circle cx="0" cy="30" r="3.5"/><circle cx="60" cy="30" r="3.5"/><circle cx="30" cy="60" r="3.5"/></g>`;
  return (
    ground(["#27463f", "#1f3a37"]) +
    tiled({ width: 60, height: 60 }, `<g fill="none" stroke="#426b65" stroke-width="2.2">${rings}</g>${dots}`)
  );
}

function tortoise(): string {
  const hexagon = (x: number, y: number, radius: number) => {
    const corners = Array.from({ length: 6 }, (_, index) => {
      const angle = ((index * 60 + 30) * Math.PI) / 180;
      return `${at(x + Math.cos(angle) * radius)},${at(y + Math.sin(angle) * radius)}`;
    });
    return `<polygon points="${corners.join(" ")}"/>`;
  };
  const cell = (x: number, y: number) => hexagon(x, y, 40) + hexagon(x, y, 27) + hexagon(x, y, 11);
  const [wide, tall] = [40 * Math.sqrt(3), 120];
  const cells = [cell(0, 0), cell(wide, 0), cell(wide / 2, 60), cell(0, tall), cell(wide, tall)].join("");
  return (
    ground(["#1d2027", "#17191f"]) +
    tiled({ width: wide, height: tall }, `<g fill="none" stroke="#383e4a" stroke-width="1.8">${cells}</g>`)
  );
}

function scales(): string {
  const triangles = `<path d="M0 52L30 0L60 52Z" fill="#e7e1d1"/><path d="M-30 104L0 52L30 104ZM30 104L60 52L90 104Z" fill="#e2dccc"/>`;
  return ground(["#f7f4ea", "#f2eee2"]) + tiled({ width: 60, height: 104 }, triangles);
}

function arrows(): string {
  const feather = (x: number, y: number) =>
    `<path d="M${x} ${y}l22 22v74l-22 -22z" fill="#554a7c"/><path d="M${x + 44} ${y}l-22 22v74l22 -22z" fill="#493f6d"/>`;
  const feathers = feather(0, -74) + feather(0, 74) + feather(48, 0) + feather(48, 148) + feather(48, -148);
  return ground(["#382f57", "#31284d"]) + tiled({ width: 96, height: 148 }, feathers);
}

function steam(): string {
  const line = (x: number, side: 1 | -1) =>
    `<path d="M${x} 0C${x + side * 26} 40 ${x + side * 26} 80 ${x} 120S${x - side * 26} 200 ${x} 240"/>`;
  const lines = [line(0, 1), line(45, -1), line(90, 1)].join("");
  return (
    ground(["#f6f7f3", "#eef1ed"]) +
    tiled({ width: 90, height: 240 }, `<g fill="none" stroke="#d5dcd6" stroke-width="4">${lines}</g>`)
  );
}

function stripes(): string {
  const bands: [number, number, string][] = [
    [0, 26, "#2a3238"],
    [34, 3, "#434c54"],
    [42, 3, "#3a434a"],
    [54, 12, "#252c32"],
    [72, 2, "#434c54"],
  ];
  const drawn = bands.map(([x, wide, color]) => `<rect x="${x}" width="${wide}" height="84" fill="${color}"/>`);
  return ground(["#1f262b", "#1b2126"]) + tiled({ width: 84, height: 84, turned: 24 }, drawn.join(""));
}
