import { z } from "zod";

import { countCharacters } from "#app/services/base/plain-text.ts";

import {
  backgroundTypes,
  bounds,
  defaultOptions,
  isColor,
  isPartOf,
  maxListLength,
  maxPngSize,
  maxSeedLength,
  partNames,
} from "./rules.ts";
import type { AvatarOptions } from "./rules.ts";

/** A line for each invalid value: the name of its option, and what is allowed. */
export type QueryProblems = { problems: string[] };

/** All options in one object, as the studio sends them and as they are stored. */
export const avatarOptionsSchema: z.ZodType<AvatarOptions> = z.strictObject({
  seed: z.string().refine((text) => countCharacters(text) <= maxSeedLength),
  flip: z.boolean(),
  rotate: wholeNumber("rotate"),
  scale: wholeNumber("scale"),
  radius: wholeNumber("radius"),
  size: wholeNumber("size").optional(),
  backgroundColor: colorList(0),
  backgroundType: z.array(z.enum(backgroundTypes)).min(1).max(maxListLength),
  backgroundRotation: z.array(wholeNumber("backgroundRotation")).min(1).max(maxListLength),
  translateX: wholeNumber("translateX"),
  translateY: wholeNumber("translateY"),
  clip: z.boolean(),
  randomizeIds: z.boolean(),
  body: partNameList(partNames.body),
  clothingColor: colorList(1),
  eyes: partNameList(partNames.eyes),
  facialHair: partNameList(partNames.facialHair),
  facialHairProbability: wholeNumber("facialHairProbability"),
  hair: partNameList(partNames.hair),
  hairColor: colorList(1),
  mouth: partNameList(partNames.mouth),
  nose: partNameList(partNames.nose),
  skinColor: colorList(1),
});

/**
 * Reads options from a query: `?hair=long,bobCut&hair=cap&flip=true`. Lists are separated by commas or repeated; `nose=` is a face without a
 * nose. Unknown names are ignored (specification, section 5), and so are unknown options. Numbers out of range, malformed colors and too
 * long lists are problems.
 */
export function readAvatarQuery(
  seed: string,
  query: URLSearchParams,
  { isPng = false } = {},
): { options: AvatarOptions } | QueryProblems {
  const names = new Set(query.keys());
  // Bounds the work: each parameter is looked up in all of them.
  if (names.size > 2 * optionNames.length) {
    return {
      problems: [
        `Too many parameters (${names.size}). The ${optionNames.length} options are ${optionNames.join(", ")}.`,
      ],
    };
  }
  const sent = [...names].filter(isOption).map((name) => [name, readOption(name, query.getAll(name))]);
  const read = avatarOptionsSchema.safeParse({ ...defaultOptions(seed), ...Object.fromEntries(sent) });
  const problems: string[] = [];
  for (const name of new Set(read.error?.issues.map(({ path }) => String(path[0])))) {
    const index = read.error?.issues.find(({ path }) => path[0] === name)?.path[1];
    problems.push(problemOf(name, splitValues(query.getAll(name))[typeof index === "number" ? index : 0]));
  }
  const size = read.data?.size ?? 1;
  if (isPng && size > maxPngSize) problems.push(`size: a whole number from 1 to ${maxPngSize} for a PNG.`);
  return problems.length > 0 || !read.data ? { problems } : { options: read.data };
}

function wholeNumber(name: keyof typeof bounds) {
  return z.int().min(bounds[name].min).max(bounds[name].max);
}

function partNameList(list: readonly string[]) {
  return z.array(z.string().refine((name) => list.includes(name))).max(maxListLength);
}

function colorList(fewest: number) {
  return z
    .array(
      z
        .string()
        .refine(isColor)
        .transform((color) => color.toLowerCase()),
    )
    .min(fewest)
    .max(maxListLength);
}

type OptionName = Exclude<keyof AvatarOptions, "seed">;

const defaults = defaultOptions("");
// In the specification's order. The seed is in the path.
const optionNames = [...Object.keys(defaults), "size"].filter((name) => name !== "seed");

function isOption(name: string): name is OptionName {
  return optionNames.includes(name);
}

function isList(name: OptionName): boolean {
  return Array.isArray(defaults[name]);
}

/** The value of an option. Of several single values the first one counts. */
function readOption(name: OptionName, values: string[]): unknown {
  if (isList(name)) return readList(name, splitValues(values));
  const [value = ""] = values;
  if (typeof defaults[name] !== "boolean") return toNumber(value);
  return value === "true" || (value !== "false" && defaults[name]);
}

/** A list that is too long stays whole, so that it is refused. */
function readList(name: OptionName, items: string[]): readonly (string | number)[] {
  if (name === "backgroundRotation") return items.map(toNumber);
  if (items.length > maxListLength) return items;
  if (isPartKind(name)) return items.filter((item) => isPartOf(name, item));
  if (name !== "backgroundType") return items;
  const types = backgroundTypes.filter((type) => items.includes(type));
  return types.length > 0 ? items.filter((item) => types.some((type) => type === item)) : defaults.backgroundType;
}

function splitValues(values: string[]): string[] {
  return values.flatMap((value) => value.split(",")).map((item) => item.trim());
}

/** NaN for anything but a plain integer. */
function toNumber(text: string): number {
  return /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

function problemOf(name: string, sent = ""): string {
  if (name === "seed") return `The seed is longer than ${maxSeedLength} characters.`;
  return `${name}: ${quoted(sent)} is not allowed. It must be ${allowedText(name)}.`;
}

function allowedText(name: string): string {
  if (isPartKind(name)) return `a list of at most ${maxListLength} of these: ${partNames[name].join(", ")}`;
  if (name === "size") return "a whole number, at least 1";
  if (isBounded(name))
    return `${name === "backgroundRotation" ? "a list of whole numbers" : "a whole number"} from ${rangeOf(name)}`;
  if (name === "backgroundType") return `a list of at most ${maxListLength} of these: ${backgroundTypes.join(", ")}`;
  return `a list of at most ${maxListLength} colors, each six hexadecimal digits (f29c65) or transparent`;
}

function isPartKind(name: string): name is keyof typeof partNames {
  return Object.hasOwn(partNames, name);
}

function isBounded(name: string): name is keyof typeof bounds {
  return Object.hasOwn(bounds, name);
}

function rangeOf(name: keyof typeof bounds): string {
  return `${bounds[name].min} to ${bounds[name].max}`;
}

/** The value, shortened and quoted. */
function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 40));
}
