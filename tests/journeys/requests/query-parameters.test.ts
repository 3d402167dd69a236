import { describe, expect, test } from "vitest";

import { makeCard, shortPathOf } from "#tests/support/app/cards.ts";
import { expectHarmless, invalidValues, parameterNames, findExecutable } from "#tests/support/app/query-injection.ts";
import { fillParameters, listRoutes } from "#tests/support/app/route-table.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

describe("invalid query parameters", () => {
  test("never redirect a signed-in user to another site", async () => {
    const { ada } = await openProduct();
    for (const value of Object.values(invalidValues)) {
      for (const name of ["returnTo", "redirect"]) {
        for (const path of ["/auth", "/signup", "/pricing", "/theme"])
          await expectHarmless(ada, `${path}?${new URLSearchParams({ [name]: value })}`);
      }
    }
  });

  test("have no effect at any route, all at once", { timeout: 120_000 }, async () => {
    const { visitor, ada, card, code } = await openProduct();
    const pairs = Object.values(invalidValues)
      .filter((text) => text.length < 1_000)
      .map((text, at): [string, string] => [parameterNames[at % parameterNames.length] ?? "", text]);
    for (const route of listRoutes()) {
      for (const person of [visitor(), ada])
        await expectHarmless(person, `${fillParameters(route, { card, code })}?${new URLSearchParams(pairs)}`);
    }
  });
});

test("these tests detect an injected link, form, handler and element", () => {
  const page = `<a href="//evil.example">x</a><form action="javascript:planted()"></form><b onclick="x">y</b><planted>`;
  expect(findExecutable(page)).toEqual(["//evil.example", "javascript:planted()", "b", "planted"]);
});

async function openProduct() {
  const product = await createTestApp({ env: { DEMO: "on" } });
  const ada = await product.signedIn();
  const card = await makeCard(ada);
  const code = (await shortPathOf(product.visitor(), card)).replace("/c/", "");
  return { ...product, ada, card, code };
}
