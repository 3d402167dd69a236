import { expect, test } from "vitest";

import { uploadLimit } from "#app/features/uploads/rules.ts";
import { fieldValue } from "#tests/support/app/cards.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const contact = { title: "", company: "", email: "", phone: "", link: "github.com/ada", intent: "continue" };
const name = { displayName: "Ada Lovelace", handle: "", suggestion: "", face: "", intent: "continue" };

test.each([
  ["a script", "javascript:alert(1)"],
  ["data", "data:text/html,hello"],
  ["90 kB", `https://ada.example/${"x".repeat(90_000)}`],
])("the second step refuses a link that can't be saved, even when the card has no room for it: %s", async (_, link) => {
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

test("drawn faces count as uploads; over the limit the name is saved without the avatar", async () => {
  const { signedIn, services } = await createTestApp();
  const user = await signedIn();
  const id = await userIdOf(user);
  const upload = { limit: uploadLimit, subject: id };
  for (let count = 1; count < uploadLimit.max; count++) await services.rateLimits.consume([upload]);
  expect((await user.post("/start/name", { ...name, face: "4f2a9c01" })).status).toBe(302);

  const form = { ...name, displayName: "Ada King", face: "8b1d77aa", faces: "4f2a9c01,8b1d77aa" };
  const limited = await user.post("/start/name", form);
  const page = await limited.text();
  expect(limited.status).toBe(429);
  expect(page).toContain("Your name is saved, but the avatar isn&#x27;t. Try again in ten minutes.");
  expect(fieldValue(page, "displayName")).toBe("Ada King");
  const saved = await services.db.selectFrom("profile").selectAll().executeTakeFirstOrThrow();
  expect(saved.display_name).toBe("Ada King");
  expect(JSON.parse(saved.avatar_options ?? "")).toMatchObject({ seed: "4f2a9c01" });
  expect((await user.post("/start/name", { ...form, face: "" })).status).toBe(302);
});
