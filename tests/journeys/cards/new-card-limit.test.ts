import { expect, test } from "vitest";

import { newCardLimit } from "#app/features/cards/rules.ts";
import { cardFields, fieldValue, makeCard, makeOnlyUserPremium, pendingToast } from "#tests/support/app/cards.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

test("a card beyond the hourly limit is refused by the editor, which keeps what was typed", async () => {
  const { ada, reachLimit, countCards, logLines } = await openApp();
  await reachLimit();
  const refused = await ada.post("/cards/edit", { ...cardFields, card_name: "One too many" });
  expect(refused.status).toBe(429);
  const page = await refused.text();
  expect(page).toContain(
    "Failed to save business card: you've created too many cards in a short time. Try again in 60 minutes.",
  );
  expect(fieldValue(page, "card_name")).toBe("One too many");
  expect(await countCards()).toBe(0);
  const limit = newCardLimit.name;
  expect(logLines).toContainEqual(expect.objectContaining({ security: "limit-reached", limit }));
});

test("a copy beyond the hourly limit is refused, and changes to a card aren't limited", async () => {
  const { ada, services, reachLimit, countCards } = await openApp();
  await makeOnlyUserPremium(ada, services);
  const id = await makeCard(ada);
  await reachLimit();
  const refused = await ada.post(`/cards/${id}/duplicate`, { id: crypto.randomUUID() });
  expect(refused.status).toBe(302);
  expect(pendingToast(ada)).toEqual({
    title: "Failed to duplicate card",
    text: "You've created too many cards in a short time. Try again in 60 minutes.",
    tone: "error",
  });
  expect(await countCards()).toBe(1);
  const saved = await ada.post(`/cards/edit/${id}`, { ...cardFields, version: "1" });
  expect(saved.headers.get("location")).toBe(`/cards/edit/${id}`);
});

test("the first card is refused beyond the hourly limit by both steps of the start, which keep what was typed", async () => {
  const { ada, reachLimit, countCards } = await openApp();
  await reachLimit();
  const name = { displayName: "Ada Lovelace", handle: "", suggestion: "", face: "", intent: "finish" };
  const contact = { title: "Mathematician", company: "", email: "", phone: "", link: "", intent: "continue" };
  const cases = [
    { path: "/start/name", fields: name, kept: "Ada Lovelace" },
    { path: "/start/contact", fields: contact, kept: "Mathematician" },
  ];
  for (const { path, fields, kept } of cases) {
    const refused = await ada.post(path, fields);
    expect(refused.status).toBe(429);
    const page = (await refused.text()).replaceAll("&#x27;", "'");
    expect(page).toContain("Couldn't save. You've created too many cards in a short time. Try again in 60 minutes.");
    expect(page).toContain(`value="${kept}"`);
  }
  expect(await countCards()).toBe(0);
});

async function openApp() {
  const { signedIn, services, logLines } = await createTestApp();
  const ada = await signedIn();
  const subject = await userIdOf(ada);
  const reachLimit = async () => {
    for (let n = 0; n < newCardLimit.max; n++) await services.rateLimits.consume([{ limit: newCardLimit, subject }]);
  };
  const countCards = async () => (await services.db.selectFrom("card").select("id").execute()).length;
  return { ada, services, logLines, reachLimit, countCards };
}
