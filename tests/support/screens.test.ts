import { describe, expect, test } from "vitest";

import { listRoutes } from "./route-table.ts";
import { screens } from "./screens.ts";
import type { Cast } from "./cast.ts";

/** What the lists need to know of people to name their addresses. */
const someone = { id: "ada", email: "ada@example.com", card: "one", state: { cookies: [], origins: [] } };
const cast = {
  people: {
    full: someone,
    rtl: someone,
    fresh: someone,
    premium: someone,
    unconfirmed: someone,
    unlucky: someone,
  },
  resetPath: "/reset-password?token=x",
} satisfies Cast;

describe("the screens that are looked at", () => {
  const looked = Object.values(screens).flatMap((list) => list(cast).map(({ path }) => path.replace(/[?#].*$/, "")));

  test("are those of every page of the route table", () => {
    const pages = listRoutes().filter(({ file }) => file.endsWith("-page.tsx"));
    expect(pages.length).toBeGreaterThan(15);
    const missing = pages.filter(({ path }) => !looked.some((address) => patternOf(path).test(address)));
    expect(missing.map(({ path }) => path)).toEqual([]);
  });

  test("have names that tell them apart", () => {
    const names = Object.values(screens).flatMap((list) => list(cast).map(({ name }) => name));
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });
});

/** "/u/:id/resume" as a regular expression. */
function patternOf(path: string): RegExp {
  const parts = path.split("/").slice(1);
  const pattern = parts.map((part) =>
    part === "*" ? "/.+" : part.startsWith(":") ? (part.endsWith("?") ? "(?:/[^/]+)?" : "/[^/]+") : `/${part}`,
  );
  return new RegExp(`^${pattern.join("")}$`);
}
