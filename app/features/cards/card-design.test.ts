import { expect, test } from "vitest";

import { plans } from "#app/features/billing/rules.ts";

import { toDesign, toDesignValues } from "./card-design-form.ts";
import { accentChoices, defaultDesign, includesAccent, publicDesign, readDesign } from "./card-design.ts";

test("Free has the four accents of the live demo, Premium all eight and any color", () => {
  const included = (plan: typeof plans.free) => accentChoices.filter(({ id }) => includesAccent(plan, id)).length;
  expect([included(plans.free), included(plans.premium), accentChoices.length]).toEqual([4, 8, 8]);
  expect(includesAccent(plans.free, "#3a5f8c")).toBe(false);
  expect(includesAccent(plans.premium, "#3a5f8c")).toBe(true);
  expect(includesAccent(plans.free, "")).toBe(true);
});

test("every accent of a plan exists", () => {
  const ids: readonly string[] = accentChoices.map(({ id }) => id);
  for (const { accents } of Object.values(plans)) expect(accents.filter((id) => !ids.includes(id))).toEqual([]);
});

test("after a downgrade visitors see the theme's own color, and the layout and paper stay", () => {
  const design = { accent: "rose", layout: "cover", paper: "dark" } as const;
  expect(publicDesign(plans.premium, design)).toEqual(design);
  expect(publicDesign(plans.free, design)).toEqual({ ...design, accent: "" });
});

test("stored values of another release are the default", () => {
  expect(readDesign({ accent: "plaid", layout: "sideways", paper: "wet" })).toEqual(defaultDesign);
  const expected = { accent: "#aabbcc", layout: "cover", paper: "dark" };
  expect(readDesign({ accent: "#AABBCC", layout: "cover", paper: "dark" })).toEqual(expected);
});

test("the form holds a custom color apart from the choice of one", () => {
  const own = { accent: "#3a5f8c", layout: "centered", paper: "light" } as const;
  expect(toDesignValues(own)).toMatchObject({ accent: "own", accent_color: "#3a5f8c" });
  expect(toDesign(toDesignValues(own))).toEqual(own);
  expect(toDesign({ accent: "violet", accent_color: "#3a5f8c", layout: "", paper: "" }).accent).toBe("violet");
  expect(toDesign({ accent: "", accent_color: "", layout: "", paper: "" })).toEqual(defaultDesign);
});
