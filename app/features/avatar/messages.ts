import type { AvatarOptions, NumberKind, PaletteKind, PartKind } from "./rules.ts";

export const messages = {
  wrongOptions: "This avatar can’t be saved because one of its settings isn’t allowed. Reset it and try again.",
  seedTooLong: "Use at most 200 characters.",
  seedHint: "The same text always gives the same avatar.",
  seedIdle: "You chose every part yourself. Set one to Random to use Randomize.",
} as const;

/** "curlyHighTop" -> "Curly high top". */
export function partLabel(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The seed chooses, and another seed chooses something else. */
export const randomLabel = "Random";

export const partLabels: Record<PartKind, string> = {
  body: "Top",
  eyes: "Eyes",
  facialHair: "Facial hair",
  hair: "Hair",
  mouth: "Mouth",
  nose: "Nose",
};

export const colorLabels: Record<PaletteKind, string> = {
  hairColor: "Hair color",
  clothingColor: "Clothing color",
  skinColor: "Skin color",
};

export const numberLabels: Record<NumberKind, string> = {
  rotate: "Rotation",
  scale: "Zoom",
  radius: "Rounded corners",
  translateX: "Horizontal position",
  translateY: "Vertical position",
  facialHairProbability: "Chance of facial hair",
};

const colorNames: Record<string, string> = {
  "362c47": "Ink",
  "6c4545": "Brown",
  e15c66: "Red",
  e16381: "Pink",
  f27d65: "Coral",
  f29c65: "Copper",
  dee1f5: "Silver",
  "456dff": "Blue",
  "54d7c7": "Turquoise",
  "7555ca": "Violet",
  "6dbb58": "Green",
  e24553: "Red",
  f3b63a: "Yellow",
  f55d81: "Pink",
  eeb4a4: "Rose",
  e7a391: "Peach",
  e5a07e: "Sand",
  d78774: "Clay",
  b16a5b: "Chestnut",
  "92594b": "Cocoa",
  "623d36": "Espresso",
  f6d9c4: "Apricot",
  f4c7c3: "Blush",
  e3d5f0: "Lilac",
  c9dcf2: "Sky",
  cfe7e0: "Mint",
  d9e6c3: "Lime",
  f5e3a3: "Lemon",
  e9e3d5: "Paper",
  transparent: "Transparent",
};

/** "Copper", or "#a1b2c3" for a color without a name. */
export function colorName(color: string): string {
  return colorNames[color] ?? `#${color}`;
}

/** The label of a choice: the name of the only option, or "Random" for several. */
export function chosenLabel(list: readonly string[], nameOf: (value: string) => string): string {
  const [only] = list;
  if (only === undefined) return "None";
  return list.length === 1 ? nameOf(only) : randomLabel;
}

/** Whether the seed has no visible effect, because every option is fixed. */
export function isSeedIdle(options: AvatarOptions): boolean {
  const { body, eyes, facialHair, hair, mouth, nose, hairColor, clothingColor, skinColor } = options;
  const lists = [body, eyes, facialHair, hair, mouth, nose, hairColor, clothingColor, skinColor];
  const isFixed = lists.every((list) => list.length < 2);
  const { facialHairProbability, backgroundColor, backgroundType } = options;
  const hasOneBackground = backgroundColor.length < 2 || backgroundType.length < 2;
  return isFixed && (facialHairProbability === 0 || facialHairProbability === 100) && hasOneBackground;
}
