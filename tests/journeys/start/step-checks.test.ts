import { expect, test } from "vitest";

import { fieldValue } from "#tests/support/app/cards.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const contact = { title: "", company: "", email: "", phone: "", link: "github.com/ada", intent: "continue" };

test.each([
  ["a script", "javascript:alert(1)"],
  ["data", "data:text/html,hello"],
  ["90 kB", `https://ada.example/${"x".repeat(90_000)}`],
])("the second step refuses a link that can't be saved, also when the card has no room for it: %s", async (_, link) => {
  const { signedIn, services } = await createTestApp();
  const user = await signedIn();
  await user.post("/start/contact", { ...contact, link: "" });
  const full = Array.from({ length: 8 }, (_, index) => ({
    id: `link-${index}`,
    name: `Link ${index}`,
    url: `https://ada.example/${index}`,
  }));
  await services.db
    .updateTable("card")
    .set({ professional_links: JSON.stringify(full) })
    .execute();
  const response = await user.post("/start/contact", { ...contact, link });
  const page = await response.text();
  expect([response.status, fieldValue(page, "link")]).toEqual([422, link]);
  expect(page).toContain("Invalid URL");
  expect((await services.db.selectFrom("profile").select("links").executeTakeFirstOrThrow()).links).toBe("[]");

  expect((await user.post("/start/contact", contact)).status).toBe(302);
  const { links } = await services.db.selectFrom("profile").select("links").executeTakeFirstOrThrow();
  expect(JSON.parse(links)).toMatchObject([{ label: "GitHub", url: "https://github.com/ada" }]);
});
