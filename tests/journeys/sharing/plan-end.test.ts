import { expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { makePremium, userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

test("public pages of a plan that ends show the free plan from that moment", async () => {
  const time = { now: Date.UTC(2026, 10, 24, 8) };
  const { signedIn, visitor, services } = await createTestApp({ clock: () => time.now });
  const ada = await signedIn();
  const id = await userIdOf(ada);
  const paths = [`/u/${id}`, `/card/${await makeCard(ada)}`];
  const endsAt = time.now + 20_000;
  await makePremium(services, id, endsAt);
  const hasBranding = async (path: string) => (await (await visitor().get(path)).text()).includes("Made with Meishi");
  time.now = endsAt - 1;
  expect(await Promise.all(paths.map(hasBranding))).toEqual([false, false]);
  time.now = endsAt;
  expect(await Promise.all(paths.map(hasBranding))).toEqual([true, true]);
});
