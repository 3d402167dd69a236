import { createHash } from "node:crypto";

import { Resvg } from "@resvg/resvg-js";
import fc from "fast-check";
import { expect, test } from "vitest";

import { readElements } from "#tests/support/app/responses.ts";

import { anyAvatarOptions } from "#tests/support/fixtures/avatar-options.ts";
import { avatarHashes, avatarPartHashes } from "#tests/support/fixtures/avatar-hashes.ts";

import { drawAvatar } from "./drawing.ts";
import { defaultOptions, isPartOf, partNames } from "./rules.ts";
import type { PartKind } from "./rules.ts";

const kinds = Object.keys(partNames) as PartKind[];
const hash = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);
const draw = (change: object, seed = "Ada") => drawAvatar({ ...defaultOptions(seed), ...change });

test("no avatar changes with an update, and no part of it", () => {
  for (const [name, seed, change, svg] of avatarHashes) expect(hash(draw(change, seed).svg), name).toBe(svg);
  const drawn = kinds.flatMap((kind) =>
    partNames[kind].map((name) => {
      const { svg, extra } = draw({ [kind]: [name], facialHairProbability: 100 });
      expect(extra[kind]).toBe(name);
      return [`${kind} ${name}`, hash(svg)];
    }),
  );
  expect(Object.fromEntries(drawn)).toEqual(avatarPartHashes);
});

test("a drawing contains its attribution, is 64 by 64, and reports what the seed chose", () => {
  const { svg, extra } = draw({ backgroundColor: ["c9dcf2"], facialHairProbability: 0 });
  expect(svg).toContain("<dc:title>Personas by Draftbit</dc:title>");
  expect(svg).toContain("<dc:creator>Draftbit - draftbit.com</dc:creator>");
  expect(svg).toContain("https://personas.draftbit.com/</dc:source>");
  expect(svg).toContain("https://creativecommons.org/licenses/by/4.0/</dcterms:license>");
  expect(svg).toContain('viewBox="0 0 64 64"');
  for (const kind of ["body", "eyes", "hair", "mouth", "nose"] as const)
    expect(isPartOf(kind, String(extra[kind]))).toBe(true);
  expect(extra["facialHair"]).toBeUndefined();
  expect(extra).toMatchObject({
    primaryBackgroundColor: "#c9dcf2",
    secondaryBackgroundColor: "#c9dcf2",
    backgroundType: "solid",
    backgroundRotation: expect.any(Number),
    skinColor: expect.stringMatching(/^#[0-9a-f]{6}$/),
  });
});

test("a drawing differs only in its ids with randomizeIds", () => {
  const [one, other] = [draw({ randomizeIds: true }).svg, draw({ randomizeIds: true }).svg];
  expect(one).not.toBe(other);
  const nameless = (svg: string) => svg.replaceAll(/(id="|url\(#)[\w-]+/g, "$1");
  expect(nameless(one)).toBe(nameless(draw({}).svg));
});

test("a drawing is well-formed for any options, and contains no scripts, requests or links", () => {
  fc.assert(
    fc.property(anyAvatarOptions(), (options) => {
      const { svg } = drawAvatar(options);
      // A strict XML parser, which throws on any syntax error.
      const image = new Resvg(svg.replace(/ (width|height)="\d+"/g, ""), { font: { loadSystemFonts: false } });
      expect(image.width).toBe(64);
      for (const { tag, attributes } of readElements(svg).filter(({ isSvg }) => isSvg)) {
        expect(allowed).toContain(tag);
        for (const [name, value] of Object.entries(attributes)) {
          expect(name).not.toMatch(/^on|href|src/i);
          expect(value).not.toMatch(/javascript:|data:|url\((?!#)/i);
          if (name === "style") expect(value).toMatch(/^(mix-blend-mode|mask-type):[a-z-]+$/);
        }
      }
      // The parser adds the elements around a document.
      expect(
        readElements(svg)
          .filter(({ isSvg }) => !isSvg)
          .map(({ tag }) => tag),
      ).toEqual(["html", "head", "body"]);
      expect(svg).toBe(options.randomizeIds ? svg : drawAvatar(options).svg);
    }),
    { numRuns: 100 },
  );
});

const metadata = "metadata rdf:rdf rdf:description dc:title dc:creator dc:source dcterms:license dc:rights";
const allowed = `svg ${metadata} g path mask rect circle ellipse defs linearGradient stop`.split(" ");
