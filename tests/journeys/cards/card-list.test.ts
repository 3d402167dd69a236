import { describe, expect, test } from "vitest";

import { newCardLimit } from "#app/features/cards/rules.ts";
import {
  cardFields,
  fieldValue,
  makeCard,
  makeOnlyUserPremium,
  pendingToast,
  shortPathOf,
} from "#tests/support/app/cards.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { readElements, textWith, visibleText } from "#tests/support/app/responses.ts";
import { createSignedInApp } from "#tests/support/app/test-app.ts";
import { useUp } from "#tests/support/database/attempts.ts";

async function openApp({ isPremium = false } = {}) {
  const { ada, ...app } = await createSignedInApp();
  if (isPremium) await makeOnlyUserPremium(ada, app.services);
  const readList = async () => (await ada.get("/profile")).text();
  const countCards = async () => (await app.services.db.selectFrom("card").select("id").execute()).length;
  const statusOf = async (path: string) => (await app.visitor().get(path)).status;
  const reachLimit = async () => useUp(app.services, { limit: newCardLimit, subject: await userIdOf(ada) });
  return { ...app, ada, readList, countCards, statusOf, reachLimit };
}

test("another owner's card is treated like an unknown card in every read and write, and is unchanged", async () => {
  const { ada, signedIn, visitor } = await openApp();
  const id = await makeCard(ada);
  const eve = await signedIn("eve@example.com");
  const writes = [
    [`edit`, { ...cardFields, version: "1" }, undefined],
    ["delete", {}, { title: "Failed to delete business card", tone: "error" }],
    ["pause", { pause: "on" }, { text: "It no longer exists.", tone: "error" }],
    ["move", { to: "up" }, { text: "It no longer exists.", tone: "error" }],
    ["duplicate", { id: crypto.randomUUID() }, { text: "It no longer exists.", tone: "error" }],
  ] as const;
  for (const card of [id, "unknown", crypto.randomUUID()]) {
    await eve.get("/profile");
    expect((await eve.get(`/cards/edit/${card}`)).headers.get("location")).toBe("/profile");
    expect(pendingToast(eve)).toEqual({ title: "Error", text: "Failed to load business card.", tone: "error" });
    for (const [what, form, toast] of writes) {
      await eve.get("/profile");
      const path = what === "edit" ? `/cards/edit/${card}` : `/cards/${card}/${what}`;
      expect((await eve.post(path, form)).headers.get("location"), what).toBe("/profile");
      if (toast) expect(pendingToast(eve), what).toMatchObject(toast);
    }
    expect((await eve.get(`/cards/${card}/details`)).status).toBe(404);
    expect((await eve.post(`/cards/${card}/details`, { company: "Eve" })).status).toBe(404);
  }
  expect(await (await visitor().get(`/card/${id}`)).text()).toContain("Analytical Engines");
});

test("cards need a signed-in user, whose list is at /cards and in the profile editor", async () => {
  const { ada, readList, visitor, statusOf } = await openApp();
  const id = await makeCard(ada);
  for (const path of ["/cards", "/cards/edit", `/cards/edit/${id}`]) {
    const to = (await visitor().get(path)).headers.get("location");
    expect(to).toBe(`/auth?${new URLSearchParams({ returnTo: path })}`);
  }
  for (const path of ["edit", `edit/${id}`, ...["delete", "pause", "move", "duplicate"].map((what) => `${id}/${what}`)])
    expect((await visitor().post(`/cards/${path}`, cardFields)).headers.get("location"), path).toMatch(/^\/auth/);
  expect(await statusOf(`/card/${id}`)).toBe(200);
  for (const list of [await (await ada.get("/cards")).text(), await readList()])
    expect(list).toContain(`href="/cards/edit/${id}"`);
  expect((await ada.post(`/cards/${id}/pause`, { pause: "on", back: "/cards" })).headers.get("location")).toBe(
    "/cards",
  );
});

test("the list of cards links to each card's page and editor, and confirms deletion without script", async () => {
  const { ada, readList, visitor, statusOf } = await openApp();
  expect(await readList()).toContain("No business cards yet");
  const id = await makeCard(ada);
  const list = await readList();
  const targets = readElements(list).map(({ attributes }) => attributes["href"] ?? attributes["action"]);
  const paths = [await shortPathOf(visitor(), id), `/cards/edit/${id}`, `/cards/${id}/delete`];
  expect(targets).toEqual(expect.arrayContaining(paths));
  for (const text of [
    "Mathematician · Analytical Engines",
    "Are you sure you want to delete this business card?",
    "Leads that came in through it are deleted, too.",
  ])
    expect(visibleText(list)).toContain(text);

  const deleted = await ada.post(`/cards/${id}/delete`, {});
  expect(deleted.headers.get("location")).toBe("/profile");
  expect(pendingToast(ada)).toMatchObject({ title: "Business card deleted", tone: "success" });
  expect(await statusOf(`/card/${id}`)).toBe(404);
  expect((await ada.get("/cards/edit")).status).toBe(200);
});

describe("pausing a card", () => {
  test("hides its page, contact file and QR code from visitors until it is unpaused", async () => {
    const { ada, readList, visitor, statusOf } = await openApp();
    const id = await makeCard(ada);
    const statuses = () =>
      Promise.all(["", "/contact.vcf", "/qr.svg", "/qr.png"].map((file) => statusOf(`/card/${id}${file}`)));
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    const paused = await ada.post(`/cards/${id}/pause`, { pause: "on", back: "/profile" });
    expect(paused.headers.get("location")).toBe("/profile");
    expect(pendingToast(ada)).toMatchObject({ title: "Card paused", tone: "success" });
    expect(await statuses()).toEqual([404, 404, 404, 404]);
    const list = await readList();
    for (const text of ["Paused by you", "Unpause"]) expect(visibleText(list)).toContain(text);
    expect(list).not.toContain(`href="/card/${id}"`);
    const unknown = await (await visitor().get("/card/unknown")).text();
    expect(await (await visitor().get(`/card/${id}`)).text()).toBe(unknown);
    await ada.post(`/cards/${id}/pause`, { pause: "off", back: "/profile" });
    expect(pendingToast(ada)).toMatchObject({ title: "Card unpaused" });
    expect(await statuses()).toEqual([200, 200, 200, 200]);
  });

  test("also works from the public profile and returns there, but to no other site, and says why a card stays hidden", async () => {
    const { ada, readList } = await openApp();
    const id = await makeCard(ada, { is_public: "" });
    const back = `/u/${await userIdOf(ada)}`;
    expect((await ada.post(`/cards/${id}/pause`, { pause: "on", back })).headers.get("location")).toBe(back);
    expect(visibleText(await (await ada.get(back)).text())).toContain("Paused by you");
    for (const elsewhere of ["https://evil.example", "//evil.example", "/u/../auth/sign-out", "/u/a?b", ""]) {
      const answer = await ada.post(`/cards/${id}/pause`, { pause: "off", back: elsewhere });
      expect(answer.headers.get("location")).toBe("/profile");
    }
    expect(pendingToast(ada)).toMatchObject({ title: "Card unpaused" });
    expect(await readList()).toContain("Not public");
  });
});

test("the order of cards changes with buttons that need no script, in the editor and on the profile, but not which card Free includes", async () => {
  const { ada, services, statusOf } = await openApp({ isPremium: true });
  const ids: string[] = [];
  for (const card_name of ["First", "Second", "Third"]) ids.push(await makeCard(ada, { card_name }));
  const [first = "", second = ""] = ids;
  const order = async (path: string) => {
    const page = await (await ada.get(path)).text();
    return [...new Set(page.match(/(?<=More actions for )(?:First|Second|Third)/g))].join(" ");
  };
  expect(await order("/profile")).toBe("Third Second First");
  const moved = await ada.post(`/cards/${first}/move`, { to: "up", back: "/profile" });
  expect(moved.headers.get("location")).toBe("/profile");
  expect(pendingToast(ada)).toMatchObject({ title: "Card moved" });
  await ada.post(`/cards/${first}/move`, { to: "0", here: "on" });
  for (const path of ["/profile", `/u/${await userIdOf(ada)}`]) expect(await order(path)).toBe("First Third Second");
  for (const to of ["", "-1", "1e3", "left", "9".repeat(400)]) {
    await ada.get("/profile");
    expect((await ada.post(`/cards/${first}/move`, { to })).headers.get("location")).toBe("/profile");
    expect(pendingToast(ada), to).toMatchObject({ title: "Failed to move card", tone: "error" });
  }
  await services.db.deleteFrom("subscription").execute();
  expect([await statusOf(`/card/${first}`), await statusOf(`/card/${second}`)]).toEqual([200, 404]);
});

test("a copy of a card is private, opens its editor, is created once per form, and not on Free", async () => {
  const { ada, services, countCards, statusOf } = await openApp();
  const id = await makeCard(ada, { card_name: "Studio" });
  const duplicate = () => ada.post(`/cards/${id}/duplicate`, { id: copyId, back: "/profile" });
  const copyId = crypto.randomUUID();
  expect((await duplicate()).headers.get("location")).toBe("/profile");
  expect(pendingToast(ada)).toMatchObject({ title: "Free includes one business card" });
  expect(await countCards()).toBe(1);

  await makeOnlyUserPremium(ada, services);
  const copies = await Promise.all(Array.from({ length: 5 }, duplicate));
  const [to = "", ...others] = new Set(copies.map((answer) => answer.headers.get("location") ?? ""));
  expect(others).toEqual([]);
  expect(to).toMatch(/^\/cards\/edit\/.+/);
  expect(pendingToast(ada)).toMatchObject({ title: "Card duplicated", text: "The copy isn’t public yet." });
  expect(await (await ada.get(to)).text()).toContain('value="Copy of Studio"');
  expect(await statusOf(to.replace("/cards/edit/", "/card/"))).toBe(404);
  expect(await countCards()).toBe(2);
});

const text = "You’ve created too many cards in a short time. Try again in 60 minutes.";

test("beyond the hourly limit the editor and both steps of the start refuse a card, and keep what was typed", async () => {
  const { ada, reachLimit, countCards, logLines } = await openApp();
  await reachLimit();
  const name = { displayName: "Ada Lovelace", handle: "", suggestion: "", seed: "", intent: "finish" };
  const contact = { title: "Mathematician", company: "", email: "", phone: "", link: "", intent: "continue" };
  for (const { path, fields, kept, problem = `Couldn’t save. ${text.replace("'", "’")}` } of [
    {
      path: "/cards/edit",
      fields: { ...cardFields, card_name: "One too many" },
      kept: "card_name",
      problem: `Failed to save business card: ${text.replace("You", "you")}`,
    },
    { path: "/start/name", fields: name, kept: "displayName" },
    { path: "/start/contact", fields: contact, kept: "title" },
  ]) {
    const page = await textWith(429, await ada.post(path, fields));
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
