import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { expectHarmless, invalidValues, parameterNames } from "#tests/support/app/query-injection.ts";
import { fillParameters, listRoutes } from "#tests/support/app/route-table.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

describe("an invalid value in the query", () => {
  const pages = [
    "/",
    "/pricing",
    "/docs",
    "/auth",
    "/signup",
    "/forgot-password",
    "/reset-password",
    "/success",
    "/cancel",
  ];
  const others = ["/contact", "/status", "/auth/demo", "/security-overview", "/sitemap.xml", "/robots.txt", "/theme"];

  test.for(Object.keys(invalidValues))("is ignored or rejected: %s", async (what) => {
    const { visitor } = await openProduct();
    const value = invalidValues[what] ?? "";
    for (const path of [...pages, ...others]) {
      for (const name of parameterNames)
        await expectHarmless(visitor(), `${path}?${new URLSearchParams({ [name]: value })}`);
    }
  });

  test(
    "has no effect when repeated, as a list, as an object or with another spelling of its name",
    { timeout: 240_000 },
    async () => {
      const { visitor } = await openProduct();
      for (const path of [...pages, ...others]) {
        for (const name of parameterNames) {
          const value = encodeURIComponent('"><planted>');
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
      }
    },
  );

  test("doesn't appear on the next visitor's page", async () => {
    const { visitor } = await openProduct();
    for (const path of pages) {
      for (const name of parameterNames)
        await visitor().get(`${path}?${name}=${encodeURIComponent('"><planted>evil.example')}`);
      const plain = await (await visitor().get(path)).text();
      expect(plain, path).not.toMatch(/planted|evil\.example/);
    }
  });
});

describe("any query parameters", () => {
  test("have no effect at any route, for a visitor or an owner", { timeout: 240_000 }, async () => {
    const { visitor, ada, card } = await openProduct();
    const paths = listRoutes().map((route) => fillParameters(route, { card }));
    const value = fc.oneof(
      fc.constantFrom(...Object.values(invalidValues)),
      fc.string({ unit: "binary" }).map((text) => text.toWellFormed()),
      fc.string().map((text) => `<planted ${text}>`),
    );
    const name = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom(...parameterNames, "size", "q", "v", "download", "seed", "back", "_routes"),
      },
      fc.string(),
    );
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
});

async function openProduct() {
  const product = await createTestApp({ env: { DEMO: "on" } });
  const ada = await product.signedIn();
  return { ...product, ada, card: await makeCard(ada) };
}
