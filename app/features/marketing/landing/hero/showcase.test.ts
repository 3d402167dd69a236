import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { readShowcase } from "./showcase.ts";

const read = (query: string) => readShowcase(new URLSearchParams(query));

describe("the showcase", () => {
  test("shows one of three screens in one of three themes", () => {
    expect(read("screen=hero")).toEqual({ screen: "hero", theme: "slate" });
    expect(read("screen=card&theme=indigo")).toEqual({ screen: "card", theme: "indigo" });
    expect(read("theme=emerald&screen=phone")).toEqual({ screen: "phone", theme: "emerald" });
  });

  test("is undefined for an unknown screen, and slate for an unknown theme", () => {
    for (const query of ["", "screen=", "theme=indigo", "screen=HERO", "screen=toString", "screen=hero%00"])
      expect(read(query)).toBeUndefined();
    expect(read("screen=hero&theme=neon")).toEqual({ screen: "hero", theme: "slate" });
    expect(read("screen=hero&theme=__proto__")).toEqual({ screen: "hero", theme: "slate" });
    // The first of repeated parameters counts.
    expect(read("screen=card&screen=phone&theme=emerald&theme=indigo")).toEqual({ screen: "card", theme: "emerald" });
  });

  test("never contains text from the query", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (screen, theme) => {
        const showcase = readShowcase(new URLSearchParams({ screen, theme }));
        if (showcase) expect(["hero", "card", "phone"]).toContain(showcase.screen);
        expect(["slate", "indigo", "emerald", undefined]).toContain(showcase?.theme);
      }),
    );
  });
});
