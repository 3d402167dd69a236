import { z } from "zod";

import {
  backgroundTypes,
  bounds,
  countSigns,
  defaultOptions,
  isColor,
  maxListed,
  maxPngSize,
  maxSeed,
  partNames,
} from "./rules.ts";
import type { AvatarOptions } from "./rules.ts";

/** One line for each option that is wrong: its name, and what it may say. */
export type Problems = { problems: string[] };

/** Options as the studio sends them and as they are stored: all of them, in one object. */
export const avatarOptions: z.ZodType<AvatarOptions> = z.strictObject({
  seed: z.string().refine((text) => countSigns(text) <= maxSeed),
  flip: z.boolean(),
  rotate: whole("rotate"),
  scale: whole("scale"),
  radius: whole("radius"),
  size: whole("size").optional(),
  backgroundColor: colors(0),
  backgroundType: z.array(z.enum(backgroundTypes)).min(1).max(maxListed),
  backgroundRotation: z.array(whole("backgroundRotation")).min(1).max(maxListed),
  translateX: whole("translateX"),
  translateY: whole("translateY"),
  clip: z.boolean(),
  randomizeIds: z.boolean(),
  body: names(partNames.body),
  clothingColor: colors(1),
  eyes: names(partNames.eyes),
  facialHair: names(partNames.facialHair),
  facialHairProbability: whole("facialHairProbability"),
  hair: names(partNames.hair),
  hairColor: colors(1),
  mouth: names(partNames.mouth),
  nose: names(partNames.nose),
  skinColor: colors(1),
});

/**
 * The options in an address: `?hair=long,bobCut&hair=cap&flip=true`. Lists take commas and repetitions; `nose=` is a face without one.
 * Everything else than what rules.ts allows is a problem that names the parameter: also a part that does not exist, though the drawing
 * itself (specification, section 5) would leave it out, because whoever wrote the address meant something by it.
 */
export function readAvatarQuery(
  seed: string,
  query: URLSearchParams,
  { isPng = false } = {},
): { options: AvatarOptions } | Problems {
  const sent: Record<string, unknown> = {};
  const problems: string[] = [];
  const asked = new Set(query.keys());
  // Each would be searched for in all of them, and answered.
  if (asked.size > 2 * optionNames.length) {
    return {
      problems: [`${asked.size} parameters: there are ${optionNames.length} options, ${optionNames.join(", ")}.`],
    };
  }
  for (const name of asked) {
    const values = query.getAll(name);
    if (!isOption(name)) problems.push(`${quoted(name)} is not an option. There are: ${optionNames.join(", ")}.`);
    else if (!isList(name) && values.length > 1) problems.push(`${name} is given more than once.`);
    else sent[name] = isList(name) ? listed(name, values) : single(name, values[0] ?? "");
  }
  const read = avatarOptions.safeParse({ ...defaultOptions(seed), ...sent });
  for (const name of new Set(read.error?.issues.map(({ path }) => String(path[0])))) {
    const index = read.error?.issues.find(({ path }) => path[0] === name)?.path[1];
    problems.push(problemOf(name, wordsOf(query.getAll(name))[typeof index === "number" ? index : 0]));
  }
  const size = read.data?.size ?? 1;
  if (isPng && size > maxPngSize) problems.push(`size: a whole number from 1 to ${maxPngSize} for a PNG.`);
  return problems.length > 0 || !read.data ? { problems } : { options: read.data };
}

function whole(name: keyof typeof bounds) {
  return z.int().min(bounds[name].min).max(bounds[name].max);
}

function names(list: readonly string[]) {
  return z.array(z.string().refine((name) => list.includes(name))).max(maxListed);
}

function colors(fewest: number) {
  return z
    .array(
      z
        .string()
        .refine(isColor)
        .transform((color) => color.toLowerCase()),
    )
    .min(fewest)
    .max(maxListed);
}

type OptionName = Exclude<keyof AvatarOptions, "seed">;

const usual = defaultOptions("");
// In the specification's order. The seed stands in the path.
const optionNames = [...Object.keys(usual), "size"].filter((name) => name !== "seed");

function isOption(name: string): name is OptionName {
  return optionNames.includes(name);
}

function isList(name: OptionName): boolean {
  return Array.isArray(usual[name]);
}

function listed(name: OptionName, values: string[]): (string | number)[] {
  const words = wordsOf(values);
  if (words.length === 1 && words[0] === "" && name in partNames) return [];
  return name === "backgroundRotation" ? words.map(toNumber) : words;
}

function wordsOf(values: string[]): string[] {
  return values.flatMap((value) => value.split(",")).map((word) => word.trim());
}

function single(name: OptionName, value: string): unknown {
  if (typeof usual[name] !== "boolean") return toNumber(value);
  return value === "true" ? true : value === "false" ? false : value;
}

/** NaN for anything that is not written as a plain whole number. */
function toNumber(text: string): number {
  return /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

function problemOf(name: string, sent = ""): string {
  if (name === "seed") return `The seed is longer than ${maxSeed} signs.`;
  return `${name}: ${quoted(sent)} is not allowed. It is ${allowed(name)}.`;
}

function allowed(name: string): string {
  if (isPartKind(name)) return `a list of at most ${maxListed} of these: ${partNames[name].join(", ")}`;
  if (name === "size") return "a whole number, at least 1";
  if (isNumber(name))
    return `${name === "backgroundRotation" ? "a list of whole numbers" : "a whole number"} from ${rangeOf(name)}`;
  if (name === "backgroundType") return `a list of these: ${backgroundTypes.join(", ")}`;
  return name.endsWith("Color") ? "a list of colours, each six digits of hex (f29c65) or transparent" : "true or false";
}

function isPartKind(name: string): name is keyof typeof partNames {
  return Object.hasOwn(partNames, name);
}

function isNumber(name: string): name is keyof typeof bounds {
  return Object.hasOwn(bounds, name);
}

function rangeOf(name: keyof typeof bounds): string {
  return `${bounds[name].min} to ${bounds[name].max}`;
}

/** What was sent, short and visible. */
function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 40));
}
