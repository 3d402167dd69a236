import { expect, test } from "vitest";

import { uploadLimit } from "#app/features/uploads/rules.ts";
import { fieldValue } from "#tests/support/app/cards.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const contact = { title: "", company: "", email: "", phone: "", link: "github.com/ada", intent: "continue" };
const name = { displayName: "Ada Lovelace", handle: "", suggestion: "", face: "", intent: "continue" };

test("the second step refuses a link that can't be saved, even when the card has no room for it", async () => {
  const { signedIn, services } = await createTestApp();
  const user = await signedIn();
  await user.post("/start/contact", { ...contact, link: "" });
  const full = Array.from({ length: 8 }, (_, n) => ({
    id: `link-${n}`,
    name: "Link",
    url: `https://ada.example/${n}`,
  }));
  await services.db
    .updateTable("card")
    .set({ professional_links: JSON.stringify(full) })
    .execute();
  const linksOf = async () =>
    JSON.parse((await services.db.selectFrom("profile").select("links").executeTakeFirstOrThrow()).links) as unknown;
  for (const link of ["javascript:alert(1)", "data:text/html,hello", `https://ada.example/${"x".repeat(90_000)}`]) {
    const response = await user.post("/start/contact", { ...contact, link });
    const page = await response.text();
    expect([response.status, fieldValue(page, "link")]).toEqual([422, link]);
    expect(page).toContain("Invalid URL");
    expect(await linksOf()).toEqual([]);
  }
  expect((await user.post("/start/contact", contact)).status).toBe(302);
  expect(await linksOf()).toMatchObject([{ label: "GitHub", url: "https://github.com/ada" }]);
});

test("a drawn face becomes the avatar and counts as an upload; over the limit the name is saved without it", async () => {
  const { signedIn, services } = await createTestApp();
  const user = await signedIn();
  const upload = { limit: uploadLimit, subject: await userIdOf(user) };
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
  expect(saved.avatar_stem).toMatch(/^avatars\//);
  expect(JSON.parse(saved.avatar_options ?? "")).toMatchObject({ seed: "4f2a9c01" });
  expect((await user.post("/start/name", { ...form, face: "" })).status).toBe(302);
});
