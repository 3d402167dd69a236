import fc from "fast-check";

import { backgroundTypes, bounds, maxSeed, palettes, partNames } from "#app/features/avatar/rules.ts";
import type { AvatarOptions } from "#app/features/avatar/rules.ts";

/** Any options that are allowed, with any seed that can stand in an address. */
export function anyOptions(): fc.Arbitrary<AvatarOptions> {
  return fc.record({
    seed: fc.string({ unit: "grapheme", maxLength: 40 }).filter(isSeed),
    flip: fc.boolean(),
    rotate: within("rotate"),
    scale: within("scale"),
    radius: within("radius"),
    size: fc.option(within("size"), { nil: undefined }),
    backgroundColor: fc.array(color, { maxLength: 5 }),
    backgroundType: fc.array(fc.constantFrom(...backgroundTypes), { minLength: 1, maxLength: 3 }),
    backgroundRotation: fc.array(within("backgroundRotation"), { minLength: 1, maxLength: 3 }),
    translateX: within("translateX"),
    translateY: within("translateY"),
    clip: fc.boolean(),
    randomizeIds: fc.boolean(),
    body: parts(partNames.body),
    clothingColor: colors(palettes.clothingColor),
    eyes: parts(partNames.eyes),
    facialHair: parts(partNames.facialHair),
    facialHairProbability: within("facialHairProbability"),
    hair: parts(partNames.hair),
    hairColor: colors(palettes.hairColor),
    mouth: parts(partNames.mouth),
    nose: parts(partNames.nose),
    skinColor: colors(palettes.skinColor),
  });
}

function isSeed(text: string): boolean {
  return text.isWellFormed() && [...text].length <= maxSeed && !text.includes("\u0000");
}

function within(name: keyof typeof bounds) {
  return fc.integer(bounds[name]);
}

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => value.toString(16).padStart(6, "0"));
const color = fc.oneof(hex, fc.constant("transparent"));

function colors(palette: readonly string[]) {
  return fc.array(fc.oneof(color, fc.constantFrom(...palette)), { minLength: 1, maxLength: 8 });
}

function parts(names: readonly string[]) {
  return fc.array(fc.constantFrom(...names), { maxLength: 8 });
}
