import fc from "fast-check";
import { expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { expectHarmless, invalidValues, parameterNames } from "#tests/support/app/query-injection.ts";
import { fillParameters, listRoutes } from "#tests/support/app/route-table.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const marketing = ["/", "/pricing", "/docs", "/auth", "/signup", "/forgot-password", "/reset-password", "/success"];
const others = ["/cancel", "/contact", "/status", "/auth/demo", "/security-overview", "/sitemap.xml", "/robots.txt"];
const pages = [...marketing, ...others, "/theme"];

test.for(Object.keys(invalidValues))("an invalid value in the query is ignored or rejected: %s", async (kind) => {
  const value = invalidValues[kind] ?? "";
  const { visitor } = await createTestApp({ env: { DEMO: "on" } });
  for (const path of pages) {
    for (const name of parameterNames)
      await expectHarmless(visitor(), `${path}?${new URLSearchParams({ [name]: value })}`);
  }
});

test("an invalid value has no effect when repeated, as a list, as an object or with another spelling of its name, or on the next visitor's page", async () => {
  const { visitor } = await createTestApp({ env: { DEMO: "on" } });
  const value = encodeURIComponent('"><planted>evil.example');
  for (const path of pages) {
    for (const name of parameterNames) {
      const queries = [
        `${name}=${value}&${name}=dark&${name}=${value}`,
        `${name}[]=${value}&${name}[]=${value}`,
        `${name}[a]=${value}&${name}[__proto__][x]=${value}`,
        `${name}.a=${value}`,
        `${name.toUpperCase()}=${value}`,
        name,
        `${name}=%`,
        `${name}=%ff%00%zz`,
        `=${value}&&&=&${name}==&?${name}=${value}`,
        Array.from({ length: 500 }, (_, at) => `${name}=${at}`).join("&"),
        `${value}=${value}`,
      ];
      for (const query of queries) await expectHarmless(visitor(), `${path}?${query}`);
    }
    expect(await (await visitor().get(path)).text(), path).not.toMatch(/planted|evil\.example/);
  }
});

test("any query parameters have no effect at any route, for a visitor or an owner", async () => {
  const { visitor, signedIn } = await createTestApp({ env: { DEMO: "on" } });
  const ada = await signedIn();
  const card = await makeCard(ada);
  const paths = listRoutes().map((route) => fillParameters(route, { card }));
  const value = fc.oneof(
    fc.constantFrom(...Object.values(invalidValues)),
    fc.string({ unit: "binary" }).map((text) => text.toWellFormed()),
    fc.string().map((text) => `<planted ${text}>`),
  );
  const names = [...parameterNames, "size", "q", "v", "download", "seed", "back", "_routes"];
  const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...names) }, fc.string());
  const query = fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 5 });
  const end = fc.constantFrom("", "", "", ".data");
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), end, query, async (path, end, pairs) => {
      const search = new URLSearchParams(pairs.map(([key, text]): [string, string] => [key.toWellFormed(), text]));
      for (const person of [visitor(), ada]) await expectHarmless(person, `${path}${end}?${search}`);
    }),
    { numRuns: 400 },
  );
});
