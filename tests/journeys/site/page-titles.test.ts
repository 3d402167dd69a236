import { expect, test } from "vitest";

import { readHead } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

/** Those of the public pages are in tests/browser/site/site-pages.test.ts. */
test("each page of a member says in its title what it is", async () => {
  const { signedIn } = await createTestApp();
  const ada = await signedIn();
  const blank = await readHead(await ada.get("/cards/edit"));
  expect(blank.titles).toEqual(["Create Business Card | Meishi"]);
  const made = await ada.post("/cards/edit", {
    card_name: "Work",
    full_name: "Ada Lovelace",
    email: "ada@example.com",
  });
  const card = (made.headers.get("location") ?? "").replace("/share/card/", "");
  const titles: Record<string, string> = {};
  for (const path of Object.keys(expected(card))) {
    const { titles: found } = await readHead(await ada.get(path));
    titles[path] = found.join(" and ");
  }
  expect(titles).toEqual(expected(card));
});

function expected(card: string): Record<string, string> {
  return {
    "/account": "Account | Meishi",
    "/account/delete": "Delete account | Meishi",
    "/profile": "Your profile | Meishi",
    "/start/name": "Your name and avatar | Meishi",
    [`/cards/edit/${card}`]: "Edit Business Card | Meishi",
    "/share/profile": "Share | Meishi",
    [`/share/card/${card}`]: "Share | Meishi",
    "/success": "Your plan is still Free | Meishi",
    "/dev/mail": "Mailbox | Meishi",
  };
}
