import { expect, test } from "vitest";

import { newCardLimit } from "#app/features/cards/rules.ts";
import { cardFields, fieldValue, makeCard, makeOnlyUserPremium, pendingToast } from "#tests/support/app/cards.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { visibleText } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const text = "You've created too many cards in a short time. Try again in 60 minutes.";

test("beyond the hourly limit the editor and both steps of the start refuse a card, and keep what was typed", async () => {
  const { ada, reachLimit, countCards, logLines } = await openApp();
  await reachLimit();
  const name = { displayName: "Ada Lovelace", handle: "", suggestion: "", face: "", intent: "finish" };
  const contact = { title: "Mathematician", company: "", email: "", phone: "", link: "", intent: "continue" };
  for (const { path, fields, kept, problem = `Couldn't save. ${text}` } of [
    {
      path: "/cards/edit",
      fields: { ...cardFields, card_name: "One too many" },
      kept: "card_name",
      problem: `Failed to save business card: ${text.replace("You", "you")}`,
    },
    { path: "/start/name", fields: name, kept: "displayName" },
    { path: "/start/contact", fields: contact, kept: "title" },
  ]) {
    const refused = await ada.post(path, fields);
    expect(refused.status).toBe(429);
    const page = await refused.text();
    expect(visibleText(page).replaceAll("&#x27;", "'")).toContain(problem);
    expect(fieldValue(page, kept)).toBe(Object.entries(fields).find(([field]) => field === kept)?.[1]);
  }
  expect(await countCards()).toBe(0);
  const limit = newCardLimit.name;
  expect(logLines).toContainEqual(expect.objectContaining({ security: "limit-reached", limit }));
});

test("beyond the hourly limit a copy is refused, and changes to a card aren't limited", async () => {
  const { ada, services, reachLimit, countCards } = await openApp();
  await makeOnlyUserPremium(ada, services);
  const id = await makeCard(ada);
  await reachLimit();
  const refused = await ada.post(`/cards/${id}/duplicate`, { id: crypto.randomUUID() });
  expect(refused.status).toBe(302);
  expect(pendingToast(ada)).toEqual({ title: "Failed to duplicate card", text, tone: "error" });
  expect(await countCards()).toBe(1);
  const saved = await ada.post(`/cards/edit/${id}`, { ...cardFields, version: "1" });
  expect(saved.headers.get("location")).toBe(`/cards/edit/${id}`);
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
