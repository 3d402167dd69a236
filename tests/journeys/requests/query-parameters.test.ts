import { test } from "vitest";

import { makeCard, shortPathOf } from "#tests/support/app/cards.ts";
import { expectHarmless, invalidValues, parameterNames } from "#tests/support/app/query-injection.ts";
import { fillParameters, listRoutes } from "#tests/support/app/route-table.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

test("invalid query parameters have no effect at any route, and never redirect a user to another site", async () => {
  const { visitor, signedIn } = await createTestApp({ env: { DEMO: "on" } });
  const ada = await signedIn();
  const card = await makeCard(ada);
  const code = (await shortPathOf(visitor(), card)).replace("/c/", "");
  const pairs = Object.values(invalidValues)
    .filter((text) => text.length < 1_000)
    .map((text, at): [string, string] => [parameterNames[at % parameterNames.length] ?? "", text]);
  for (const route of listRoutes()) {
    for (const person of [visitor(), ada])
      await expectHarmless(person, `${fillParameters(route, { card, code })}?${new URLSearchParams(pairs)}`);
  }
  for (const value of Object.values(invalidValues)) {
    for (const path of ["/auth?returnTo", "/auth?redirect", "/signup?returnTo", "/pricing?returnTo", "/theme?returnTo"])
      await expectHarmless(ada, `${path}=${encodeURIComponent(value.toWellFormed())}`);
  }
});
