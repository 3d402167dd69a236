import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { previewOf } from "./preview.ts";

const ask = (query: string) => previewOf(new URLSearchParams(query));

describe("the preview", () => {
  test("shows one of three screens in one of three themes", () => {
    expect(ask("screen=hero")).toEqual({ screen: "hero", theme: "slate" });
    expect(ask("screen=card&theme=indigo")).toEqual({ screen: "card", theme: "indigo" });
    expect(ask("theme=emerald&screen=phone")).toEqual({ screen: "phone", theme: "emerald" });
  });

  test("is not there for a screen that is not known, and slate in a theme that is not known", () => {
    for (const query of ["", "screen=", "theme=indigo", "screen=HERO", "screen=toString", "screen=hero%00"])
      expect(ask(query)).toBeUndefined();
    expect(ask("screen=hero&theme=neon")).toEqual({ screen: "hero", theme: "slate" });
    expect(ask("screen=hero&theme=__proto__")).toEqual({ screen: "hero", theme: "slate" });
  });

  test("takes the first of two", () => {
    expect(ask("screen=card&screen=phone&theme=emerald&theme=indigo")).toEqual({ screen: "card", theme: "emerald" });
    expect(ask("screen=x&screen=phone")).toBeUndefined();
  });

  test("says nothing that was asked, whatever it was", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (screen, theme) => {
        const preview = previewOf(new URLSearchParams({ screen, theme }));
        if (preview) expect(["hero", "card", "phone"]).toContain(preview.screen);
        expect(["slate", "indigo", "emerald", undefined]).toContain(preview?.theme);
      }),
    );
  });
});
