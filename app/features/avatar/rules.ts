/** The parts of a face and their names, in the order by which a seed chooses: another order would change people's faces. */
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

/** The colours that a seed chooses from, without `#`. */
export const palettes = {
  hairColor: ["362c47", "6c4545", "e15c66", "e16381", "f27d65", "f29c65", "dee1f5"],
  clothingColor: ["456dff", "54d7c7", "7555ca", "6dbb58", "e24553", "f3b63a", "f55d81"],
  skinColor: ["eeb4a4", "e7a391", "e5a07e", "d78774", "b16a5b", "92594b", "623d36"],
} as const;

/** What a transparent face is laid on where it has to be opaque. */
export const paper = "e9e3d5";

/** Soft colours that every skin, hair and shirt stands out from. */
export const backgrounds = ["f6d9c4", "f4c7c3", "e3d5f0", "c9dcf2", "cfe7e0", "d9e6c3", "f5e3a3", paper] as const;

export type PartKind = keyof typeof partNames;
export type PartName<Kind extends PartKind> = (typeof partNames)[Kind][number];
export type BackgroundType = (typeof backgroundTypes)[number];
export type PaletteKind = keyof typeof palettes;

/** Whole numbers, both ends included. `rotate` and `backgroundRotation` in degrees, the others in percent, `size` in pixels. */
export const bounds = {
  rotate: { min: 0, max: 360 },
  scale: { min: 0, max: 200 },
  radius: { min: 0, max: 50 },
  translateX: { min: -100, max: 100 },
  translateY: { min: -100, max: 100 },
  facialHairProbability: { min: 0, max: 100 },
  backgroundRotation: { min: -360, max: 360 },
  // An SVG is as large as whoever shows it wants; a PNG has to be drawn (maxPngSize).
  size: { min: 1, max: 999_999_999 },
} as const;

export type NumberKind = Exclude<keyof typeof bounds, "backgroundRotation" | "size">;

/** A drawing on paper has 4 million pixels then; more is refused, because it takes a server seconds. */
export const maxPngSize = 2048;
export const usualPngSize = 512;

/** In signs as people count them. The same seed is the same face, so it is never cut. */
export const maxSeed = 200;

/** For each list: a colour may be named twice to be chosen twice as often, but nobody means a thousand times. */
export const maxListed = 100;

/**
 * Everything that a face is drawn from. Lists are what the seed chooses from; an empty list of names gives no such part. Colours are
 * six digits of hex without `#`, or "transparent".
 */
export type AvatarOptions = Record<NumberKind, number> & { [Kind in PartKind]: string[] } & {
  [Kind in PaletteKind]: string[];
} & {
  seed: string;
  flip: boolean;
  /** Width and height that the SVG says of itself; undefined: none, it fills its place. */
  size?: number | undefined;
  /** Empty: there is no background. */
  backgroundColor: string[];
  backgroundType: BackgroundType[];
  backgroundRotation: number[];
  clip: boolean;
  /** Other ids in each drawing, for pages that show several inline. */
  randomizeIds: boolean;
};

/** The face of a seed where nothing else was chosen. */
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

export function countSigns(text: string): number {
  return [...text].length;
}
