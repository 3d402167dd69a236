import { expect, test } from "vitest";
import { z } from "zod";

import { readSource } from "#tests/support/sources.ts";

const lockfile = z.object({
  packages: z.record(z.string(), z.object({ optionalDependencies: z.record(z.string(), z.string()).optional() })),
});

// npm leaves out packages that its registry doesn't list: then `npm ci` fails, or another platform gets no native binding.
test("package-lock.json has an entry for every optional dependency", () => {
  const { packages } = lockfile.parse(JSON.parse(readSource("package-lock.json")));
  const nameOf = (path: string) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const known = new Set(Object.keys(packages).map(nameOf));
  const wanted = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
  expect(wanted.length).toBeGreaterThan(50);
  const missing = wanted.filter((name) => !known.has(name));
  expect(missing, "run `node scripts/complete-lockfile.mjs`").toEqual([]);
});
