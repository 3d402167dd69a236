import { expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { readHead } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

/** Those of the public pages are in tests/browser/site/site-pages.test.ts. */
test("each page of a member says in its title what it is", async () => {
  const { signedIn } = await createTestApp();
  const ada = await signedIn();
  const titleOf = async (path: string) => (await readHead(await ada.get(path))).titles;
  expect(await titleOf("/cards/edit")).toEqual(["Create Business Card | Meishi"]);
  const card = await makeCard(ada);
  for (const [path, title] of [
    ["/account", "Account"],
    ["/account/delete", "Delete account"],
    ["/profile", "Your profile"],
    ["/start/name", "Your name and avatar"],
    [`/cards/edit/${card}`, "Edit Business Card"],
    ["/share/profile", "Share"],
    [`/share/card/${card}`, "Share"],
    ["/success", "Your plan is still Free"],
    ["/dev/mail", "Mailbox"],
  ] as const)
    expect([path, await titleOf(path)]).toEqual([path, [`${title} | Meishi`]]);
});
