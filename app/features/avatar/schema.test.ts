import { schema as coreSchema } from "@dicebear/core";
import { schema as personaSchema } from "@dicebear/personas";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { anyAvatarOptions } from "#tests/support/fixtures/avatar-options.ts";

import { avatarUrl, readAvatarPath } from "./avatar-url.ts";
import { readAvatarOptions } from "./data.server.ts";
import { readAvatarQuery } from "./schema.ts";
import { bounds, defaultOptions, maxPngSize, palettes, partNames } from "./rules.ts";

const read = (query: string, about = {}) => readAvatarQuery("Ada", new URLSearchParams(query), about);
const withDefaults = (change: object) => ({ options: { ...defaultOptions("Ada"), ...change } });
const problems = (query: string, about = {}) => {
  const answer = read(query, about);
  return "problems" in answer ? answer.problems : [];
};

test("refuses thousands of parameters in one line, without looking them up", () => {
  const query = Array.from({ length: 4_000 }, (_, n) => `n${n}`).join("&");
  expect(problems(query)).toEqual([
    expect.stringMatching(/^Too many parameters \(4000\)\. The \d+ options are [\w, ]+\.$/),
  ]);
});

describe("the options of an avatar", () => {
  test("match the style's schema, order and defaults", () => {
    const { size: _, ...properties } = { ...coreSchema.properties, ...personaSchema.properties };
    const rules = Object.entries(properties as Record<string, { default?: unknown }>);
    const defaults = Object.fromEntries(rules.map(([name, rule]) => [name, rule.default ?? []]));
    expect({ ...defaultOptions("Ada"), seed: [] }).toEqual({ ...defaults, seed: [] });
  });

  test("are the defaults, but for lists with commas, repetitions, or both, in order, and left out parts", () => {
    expect(read("")).toEqual(withDefaults({}));
    const lists = { hair: ["long", "bobCut", "cap"], skinColor: ["eeb4a4"], nose: [] };
    expect(read("hair=long,bobCut&hair=cap&skinColor=EEB4A4&nose=")).toEqual(withDefaults(lists));
  });

  test("are read back unchanged from their URL and from JSON", () => {
    fc.assert(
      fc.property(anyAvatarOptions(), (options) => {
        const url = new URL(avatarUrl(options, "svg"), "http://localhost");
        expect(readAvatarPath(url.pathname)).toEqual({ seed: options.seed, format: "svg" });
        expect(readAvatarQuery(options.seed, url.searchParams)).toEqual({ options });
        expect(readAvatarOptions(JSON.stringify(options))).toEqual(options);
      }),
      { numRuns: 200 },
    );
  });
});

describe("what a query may contain that is ignored", () => {
  test("an unknown name of a part, which gives no part", () => {
    for (const [kind, [first]] of Object.entries(partNames)) {
      for (const name of ["wig", "constructor", "__proto__", "LONG", `${first} x`]) {
        expect(read(`${kind}=${first},${name}`)).toEqual(withDefaults({ [kind]: [first] }));
        expect(read(`${kind}=${name}`)).toEqual(withDefaults({ [kind]: [] }));
      }
    }
  });

  test("an unknown option, an unknown kind of background, and a switch that is neither true nor false", () => {
    for (const query of ["colour=red", "__proto__=1", "seed=Bob", "backgroundType=radial", "flip=yes", "clip=no"])
      expect(read(query), query).toEqual(withDefaults({}));
    const known = { backgroundType: ["gradientLinear", "solid"], clip: false };
    expect(read("backgroundType=radial,gradientLinear,solid&clip=false")).toEqual(withDefaults(known));
    // All but the first value of an option that isn't a list.
    expect(read("rotate=10&rotate=20")).toEqual(withDefaults({ rotate: 10 }));
  });
});

describe("an invalid option", () => {
  test.each(Object.entries(bounds))("%s is refused beyond either bound, with its name", (name, { min, max }) => {
    for (const value of [min, max]) expect(problems(`${name}=${value}`), `${name}=${value}`).toEqual([]);
    for (const value of [min - 1, max + 1, "", "1.5", "1e1", "0x1", " 1 2", "NaN", "--1", "９"]) {
      const [problem = "", ...more] = problems(`${name}=${value}`);
      expect(problem, `${name}=${value}`).toMatch(new RegExp(`^${name}: `));
      expect(more).toEqual([]);
    }
  });

  test("of a color takes six digits of hex or transparent", () => {
    for (const name of ["backgroundColor", ...Object.keys(palettes)]) {
      expect(problems(`${name}=00ff00,transparent,ABCDEF`)).toEqual([]);
      for (const value of ["", "red", "fff", "%23ffffff", "ffffff00", 'a"onload', "transparent;"])
        expect(problems(`${name}=${value}`)[0]).toContain(`${name}: `);
    }
  });

  test("is reported together with others", () => {
    const told = problems("hairColor=red&rotate=361&backgroundRotation=0,999&hair=wig");
    expect(told).toHaveLength(3);
    for (const name of ["hairColor", "rotate", "backgroundRotation"])
      expect(told.filter((line) => line.startsWith(`${name}: `))).toHaveLength(1);
  });

  test("is a list of more than a hundred, or a seed of more than 200 characters", () => {
    for (const list of ["hair=long", "hair=wig", "backgroundType=solid", "skinColor=ffffff"])
      expect(problems(list + `,${list.split("=")[1]}`.repeat(100))[0]).toContain("at most 100");
    expect(problems(`hair=${"long,".repeat(99)}long`)).toEqual([]);
    expect("options" in readAvatarQuery("😀".repeat(200), new URLSearchParams())).toBe(true);
    const tooLong = { problems: ["The seed is longer than 200 characters."] };
    expect(readAvatarQuery("😀".repeat(201), new URLSearchParams())).toEqual(tooLong);
  });

  test("is a PNG size that can't be drawn", () => {
    expect(problems(`size=${maxPngSize}`, { isPng: true })).toEqual([]);
    expect(problems(`size=${maxPngSize + 1}`, { isPng: true })[0]).toContain("from 1 to 2048");
    expect(problems(`size=${maxPngSize + 1}`)).toEqual([]);
  });

  test("is refused in stored JSON too", () => {
    const numbers = [{ more: 1 }, { rotate: 361 }, { rotate: "1" }];
    const changes = [...numbers, { hair: ["wig"] }, { skinColor: ['"/><script>'] }, { seed: "x".repeat(201) }];
    const wrongOptions = changes.map((change) => JSON.stringify({ ...defaultOptions("Ada"), ...change }));
    for (const wrong of ["", "null", "[]", "{}", "{", ...wrongOptions])
      expect(readAvatarOptions(wrong), wrong).toBeUndefined();
  });
});
