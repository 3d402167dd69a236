/** The parts of a face and their names. A seed chooses by position, so another order would change existing avatars. */
export const partNames = {
  body: ["squared", "rounded", "small", "checkered"],
  eyes: ["open", "sleep", "wink", "glasses", "happy", "sunglasses"],
  facialHair: ["beardMustache", "pyramid", "walrus", "goatee", "shadow", "soulPatch"],
  hair: [
    "long",
    "sideShave",
    "shortCombover",
    "curlyHighTop",
    "bobCut",
    "curly",
    "pigtails",
    "curlyBun",
    "buzzcut",
    "bobBangs",
    "bald",
    "balding",
    "cap",
    "bunUndercut",
    "fade",
    "beanie",
    "straightBun",
    "extraLong",
    "shortComboverChops",
    "mohawk",
  ],
  mouth: ["smile", "frown", "surprise", "pacifier", "bigSmile", "smirk", "lips"],
  nose: ["mediumRound", "smallRound", "wrinkles"],
} as const;

export const backgroundTypes = ["solid", "gradientLinear"] as const;

/** The colors that a seed chooses from, without `#`. */
export const palettes = {
  hairColor: ["362c47", "6c4545", "e15c66", "e16381", "f27d65", "f29c65", "dee1f5"],
  clothingColor: ["456dff", "54d7c7", "7555ca", "6dbb58", "e24553", "f3b63a", "f55d81"],
  skinColor: ["eeb4a4", "e7a391", "e5a07e", "d78774", "b16a5b", "92594b", "623d36"],
} as const;

/** The background of a transparent avatar that has to be opaque. */
export const paperColor = "e9e3d5";

/** Soft background colors that contrast with every skin, hair and clothing color. */
export const backgrounds = ["f6d9c4", "f4c7c3", "e3d5f0", "c9dcf2", "cfe7e0", "d9e6c3", "f5e3a3", paperColor] as const;

/** The mouths of a first avatar, and of one that is randomized: the others are for those who choose them. */
export const friendlyMouths = ["smile", "bigSmile", "smirk"] as const;

export type PartKind = keyof typeof partNames;
export type PartName<Kind extends PartKind> = (typeof partNames)[Kind][number];
export type BackgroundType = (typeof backgroundTypes)[number];
export type PaletteKind = keyof typeof palettes;

/** Bounds of the integer options, inclusive. `rotate` and `backgroundRotation` in degrees, the others in percent, `size` in pixels. */
export const bounds = {
  rotate: { min: 0, max: 360 },
  scale: { min: 0, max: 200 },
  radius: { min: 0, max: 50 },
  translateX: { min: -100, max: 100 },
  translateY: { min: -100, max: 100 },
  facialHairProbability: { min: 0, max: 100 },
  backgroundRotation: { min: -360, max: 360 },
  // An SVG scales; a PNG has to be drawn (maxPngSize).
  size: { min: 1, max: 999_999_999 },
} as const;

export type NumberKind = Exclude<keyof typeof bounds, "backgroundRotation" | "size">;

/** 4 million pixels: a larger PNG would take the server seconds. */
export const maxPngSize = 2048;
export const defaultPngSize = 512;

/** In characters (code points). A longer seed is refused, because truncating it would change the avatar. */
export const maxSeedLength = 200;

/** Of each list. A color may be listed twice to be chosen twice as often. */
export const maxListLength = 100;

/**
 * All options of a generated avatar. The seed chooses from each list; an empty list of names means no such part. Colors are six hexadecimal
 * digits without `#`, or "transparent".
 */
export type AvatarOptions = Record<NumberKind, number> & { [Kind in PartKind]: string[] } & {
  [Kind in PaletteKind]: string[];
} & {
  seed: string;
  flip: boolean;
  /** The width and height of the SVG; undefined for an SVG that fills its container. */
  size?: number | undefined;
  /** Empty for no background. */
  backgroundColor: string[];
  backgroundType: BackgroundType[];
  backgroundRotation: number[];
  clip: boolean;
  /** Uses different ids in each drawing, for pages with several inline SVGs. */
  randomizeIds: boolean;
};

/** The default options for a seed. */
export function defaultOptions(seed: string): AvatarOptions {
  return {
    seed,
    flip: false,
    rotate: 0,
    scale: 100,
    radius: 0,
    backgroundColor: [],
    backgroundType: ["solid"],
    backgroundRotation: [0, 360],
    translateX: 0,
    translateY: 0,
    clip: true,
    randomizeIds: false,
    body: [...partNames.body],
    clothingColor: [...palettes.clothingColor],
    eyes: [...partNames.eyes],
    facialHair: [...partNames.facialHair],
    facialHairProbability: 10,
    hair: [...partNames.hair],
    hairColor: [...palettes.hairColor],
    mouth: [...partNames.mouth],
    nose: [...partNames.nose],
    skinColor: [...palettes.skinColor],
  };
}

export function isPartOf<Kind extends PartKind>(kind: Kind, name: string): name is PartName<Kind> {
  return (partNames[kind] as readonly string[]).includes(name);
}

export function isColor(text: string): boolean {
  return text === "transparent" || /^[0-9a-f]{6}$/i.test(text);
}
