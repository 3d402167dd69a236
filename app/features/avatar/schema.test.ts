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
    const usual: Record<string, unknown> = { ...defaultOptions("Ada") };
    const { properties = {} } = {
      ...coreSchema,
      properties: { ...coreSchema.properties, ...personaSchema.properties },
    };
    for (const [name, rule] of Object.entries(properties as Record<string, { default?: unknown }>)) {
      if (name === "seed" || name === "size") continue;
      expect(usual[name], name).toEqual(rule.default ?? []);
    }
    expect(Object.keys(usual).toSorted()).toEqual(
      Object.keys(properties)
        .filter((name) => name !== "size")
        .toSorted(),
    );
  });

  test("are the defaults for an empty query", () => {
    expect(read("")).toEqual({ options: defaultOptions("Ada") });
  });

  test("accept lists with commas, repetitions, or both, in order", () => {
    expect(read("hair=long,bobCut&hair=cap&skinColor=EEB4A4")).toEqual({
      options: { ...defaultOptions("Ada"), hair: ["long", "bobCut", "cap"], skinColor: ["eeb4a4"] },
    });
  });

  test("may leave out a part", () => {
    expect(read("nose=")).toEqual({ options: { ...defaultOptions("Ada"), nose: [] } });
  });

  test("are read back unchanged from their URL and from JSON", () => {
    fc.assert(
      fc.property(anyAvatarOptions(), (options) => {
        const url = new URL(avatarUrl(options, "svg"), "http://localhost");
        expect(readAvatarPath(url.pathname)).toEqual({ seed: options.seed, format: "svg" });
        expect(readAvatarQuery(options.seed, url.searchParams)).toEqual({ options });
        expect(readAvatarOptions(JSON.stringify(options))).toEqual(options);
      }),
      { numRuns: 500 },
    );
  });
});

describe("what a query may contain that is ignored", () => {
  test.each(Object.entries(partNames))("an unknown name of %s, which gives no part", (kind, names) => {
    for (const name of ["wig", "constructor", "__proto__", "toString", "LONG", `${names[0]} x`]) {
      expect(read(`${kind}=${names[0]},${name}`)).toEqual({
        options: { ...defaultOptions("Ada"), [kind]: [names[0]] },
      });
      expect(read(`${kind}=${name}`)).toEqual({ options: { ...defaultOptions("Ada"), [kind]: [] } });
    }
  });

  test("an unknown option, an unknown kind of background, and a switch that is neither true nor false", () => {
    for (const query of ["colour=red", "__proto__=1", "seed=Bob", "backgroundType=radial", "flip=yes", "clip=no"])
      expect(read(query), query).toEqual({ options: defaultOptions("Ada") });
    expect(read("backgroundType=radial,gradientLinear,solid&clip=false")).toEqual({
      options: { ...defaultOptions("Ada"), backgroundType: ["gradientLinear", "solid"], clip: false },
    });
  });

  test("all but the first value of an option that isn't a list", () => {
    expect(read("rotate=10&rotate=20")).toEqual({ options: { ...defaultOptions("Ada"), rotate: 10 } });
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

  test.each(["backgroundColor", ...Object.keys(palettes)])("%s takes six digits of hex or transparent", (name) => {
    expect(problems(`${name}=00ff00,transparent,ABCDEF`)).toEqual([]);
    for (const value of ["", "red", "fff", "%23ffffff", "ffffff00", "ggg000", 'a"onload', "transparent;"]) {
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
    expect(readAvatarQuery("😀".repeat(201), new URLSearchParams())).toEqual({
      problems: ["The seed is longer than 200 characters."],
    });
  });

  test("is a PNG size that can't be drawn", () => {
    expect(problems(`size=${maxPngSize}`, { isPng: true })).toEqual([]);
    expect(problems(`size=${maxPngSize + 1}`, { isPng: true })[0]).toContain("from 1 to 2048");
    expect(problems(`size=${maxPngSize + 1}`)).toEqual([]);
  });

  test("is refused in stored JSON too", () => {
    const usual = defaultOptions("Ada");
    for (const wrong of [
      "",
      "null",
      "[]",
      "{}",
      "{",
      JSON.stringify({ ...usual, more: 1 }),
      JSON.stringify({ ...usual, rotate: 361 }),
      JSON.stringify({ ...usual, rotate: "1" }),
      JSON.stringify({ ...usual, hair: ["wig"] }),
      JSON.stringify({ ...usual, skinColor: ['"/><script>'] }),
      JSON.stringify({ ...usual, seed: "x".repeat(201) }),
    ])
      expect(readAvatarOptions(wrong), wrong).toBeUndefined();
  });
});
