import { expect, test } from "vitest";

import { readShowcase } from "./showcase.ts";

const read = (query: string) => readShowcase(new URLSearchParams(query));

test("the showcase shows one of three screens in one of three themes", () => {
  expect(read("screen=hero")).toEqual({ screen: "hero", theme: "slate" });
  expect(read("screen=card&theme=indigo")).toEqual({ screen: "card", theme: "indigo" });
  expect(read("theme=indigo")).toEqual({ screen: "hero", theme: "indigo" });
  expect(read("theme=emerald&screen=phone")).toEqual({ screen: "phone", theme: "emerald" });
});

test("the showcase is undefined for an unknown screen, and slate for an unknown theme", () => {
  for (const query of ["", "screen=", "screen=&theme=indigo", "screen=HERO", "screen=toString", "screen=hero%00"])
    expect(read(query)).toBeUndefined();
  expect(read("screen=hero&theme=neon")).toEqual({ screen: "hero", theme: "slate" });
  expect(read("screen=hero&theme=__proto__")).toEqual({ screen: "hero", theme: "slate" });
  // The first of repeated parameters counts.
  expect(read("screen=card&screen=phone&theme=emerald&theme=indigo")).toEqual({ screen: "card", theme: "emerald" });
});
