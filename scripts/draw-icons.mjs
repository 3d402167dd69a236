/**
 * Writes app/features/links/icons/brand-drawings.ts from the package simple-icons (CC0): only the brands listed here, with as few digits as
 * an icon of 20 pixels needs, because the icons are inlined in the pages that show them.
 *
 *   node scripts/draw-icons.mjs           writes the file
 *   node scripts/draw-icons.mjs --check   fails when the file is out of date
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const brands =
  "bandcamp bitbucket bluesky codeberg crunchbase devdotto discord etsy figma ghost gitlab googlescholar gumroad hashnode " +
  "letterboxd mastodon matrix npm orcid patreon paypal pinterest pixelfed producthunt quora soundcloud " +
  "stackoverflow steam strava substack telegram threads tidal tiktok tumblr twitch unsplash upwork vimeo wise xing youtube";

const icons = fileURLToPath(new URL(".", import.meta.resolve("simple-icons/icons/github.svg")));
const target = fileURLToPath(new URL("../app/features/links/icons/brand-drawings.ts", import.meta.url));

/** How many numbers each command takes (SVG 2, §9.3). */
const counts = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 };

if (!process.argv.includes("--check")) writeFileSync(target, drawAll());
else if (readFileSync(target, "utf8") !== drawAll()) {
  console.error("brand-drawings.ts is out of date: run node scripts/draw-icons.mjs.");
  process.exit(1);
}

/** The text of the whole file. */
function drawAll() {
  const lines = brands.split(" ").map((brand) => {
    const line = `  ${brand}: "${shrink(pathOf(brand))}",`;
    // Matches the formatter, which never breaks the line after such a short name.
    return line.length > 120 && brand.length > 4 ? line.replace(": ", ":\n    ") : line;
  });
  return [
    "/** Shapes of brands on a grid of 24, to be filled. Made by scripts/draw-icons.mjs from simple-icons (CC0): change them there. */",
    "export const brandDrawings = {",
    ...lines,
    "};",
    "",
  ].join("\n");
}

function pathOf(brand) {
  const [, d] = / d="([^"]+)"/.exec(readFileSync(`${icons}${brand}.svg`, "utf8"));
  return d;
}

/**
 * The same path in relative commands with one decimal digit. Absolute positions are rounded, so that rounding errors don't add up.
 */
function shrink(d) {
  const pen = { x: 0, y: 0 };
  const exact = { x: 0, y: 0 };
  const start = { x: 0, y: 0, exactX: 0, exactY: 0 };
  let text = "";
  let last = "";
  for (const { command, numbers } of commandsOf(d)) {
    const name = command.toLowerCase();
    const isRelative = command === name;
    if (name === "z") {
      Object.assign(pen, { x: start.x, y: start.y });
      Object.assign(exact, { x: start.exactX, y: start.exactY });
      text += "z";
      last = "z";
      continue;
    }
    const points = absolute({ name, numbers, isRelative, exact });
    const written = points.map(({ axis, value }) => {
      if (axis === undefined) return round(value, 1);
      return round(round(value, 1) - pen[axis], 1);
    });
    for (const { axis, value, isEnd } of points) {
      if (!isEnd) continue;
      exact[axis] = value;
      pen[axis] = round(value, 1);
    }
    if (name === "m") Object.assign(start, { x: pen.x, y: pen.y, exactX: exact.x, exactY: exact.y });
    if (["l", "h", "v"].includes(name) && written.every((value) => value === 0)) continue;
    text = write(text, { name: name === last ? "" : name, numbers: written, isArc: name === "a" });
    last = name === "m" ? "l" : name;
  }
  return text;
}

/** The numbers of a command with their axis; none for a size, an angle or a flag. */
function absolute({ name, numbers, isRelative, exact }) {
  const axes = { h: ["x"], v: ["y"], a: [undefined, undefined, undefined, undefined, undefined, "x", "y"] };
  return numbers.map((number, at) => {
    const axis = name in axes ? axes[name][at] : at % 2 === 0 ? "x" : "y";
    if (axis === undefined) return { value: number };
    const isEnd = at >= numbers.length - (name === "h" || name === "v" ? 1 : 2);
    return { axis, value: number + (isRelative ? exact[axis] : 0), isEnd };
  });
}

/** The single commands, each with its letter, which repetitions omit. */
function* commandsOf(d) {
  for (const [, letter, rest] of d.matchAll(/([a-z])([^a-z]*)/gi)) {
    const count = counts[letter.toLowerCase()];
    if (count === 0) yield { command: letter, numbers: [] };
    const numbers = letter.toLowerCase() === "a" ? arcNumbers(rest) : numbersIn(rest);
    for (let at = 0; at < numbers.length; at += count) {
      const isMore = at > 0 && letter.toLowerCase() === "m";
      const command = isMore ? (letter === "m" ? "l" : "L") : letter;
      yield { command, numbers: numbers.slice(at, at + count) };
    }
  }
}

function numbersIn(text) {
  return [...text.matchAll(/[-+]?(?:\d*\.\d+|\d+\.?)(?:e[-+]?\d+)?/gi)].map(Number);
}

/** The two flags of an arc are one character each and may be followed by a number without a space. */
function arcNumbers(text) {
  const number = String.raw`[\s,]*([-+]?(?:\d*\.\d+|\d+\.?))`;
  const flag = String.raw`[\s,]*([01])`;
  const arc = new RegExp(number + number + number + flag + flag + number + number, "g");
  return [...text.matchAll(arc)].flatMap((found) => found.slice(1).map(Number));
}

function write(text, { name, numbers, isArc }) {
  let written = text + name;
  for (const [at, number] of numbers.entries()) {
    const digits = String(number).replace(/^(-?)0\./, "$1.");
    const afterFlag = isArc && (at === 4 || at === 5);
    const needsSpace =
      !afterFlag &&
      /[\d.]$/.test(written) &&
      !digits.startsWith("-") &&
      !(digits.startsWith(".") && /\.\d*$/.test(written));
    written += (needsSpace ? " " : "") + digits;
  }
  return written;
}

function round(value, digits) {
  const rounded = Number(value.toFixed(digits));
  return rounded === 0 ? 0 : rounded;
}
