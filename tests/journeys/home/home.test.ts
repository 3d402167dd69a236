import { expect, test } from "vitest";

import { cardFields, makeCard, shortPathOf } from "#tests/support/app/cards.ts";
import { readElements } from "#tests/support/app/responses.ts";
import { createSignedInApp } from "#tests/support/app/test-app.ts";
import { openAnalytics, textOf } from "#tests/journeys/analytics/owner.ts";
import { openLeadForm } from "#tests/journeys/leads/shared-contacts.ts";

const linksOf = (html: string) =>
  readElements(html).flatMap(({ tag, text, attributes }) =>
    tag === "a" ? [`${attributes["aria-label"] ?? text} ${attributes["href"]}`] : [],
  );

test("visitors are asked to sign in, and a sign-in without another page leads home", async () => {
  const { ada, visitor } = await createSignedInApp();
  expect((await visitor().get("/home")).headers.get("location")).toBe("/auth?returnTo=%2Fhome");
  expect((await ada.get("/auth")).headers.get("location")).toBe("/home");
  // On phones the main pages are in a bar at the end of the document.
  const home = await (await ada.get("/home")).text();
  const bar = /<nav [^>]*class="ui-bottom-bar[^]*?<\/nav>/.exec(home)?.[0] ?? "";
  expect(linksOf(bar)).toEqual(["Home /home", "Cards /cards", "Leads /leads", "Analytics /analytics"]);
  const landing = await (await ada.get("/")).text();
  expect(linksOf(landing)).toContain("Open your cards /home");
  expect(linksOf(landing).join()).not.toContain("Get your card");
});

test("an owner without a card is led to the first steps", async () => {
  const { ada } = await createSignedInApp();
  const home = await (await ada.get("/home")).text();
  expect(textOf(home)).toContain("You don’t have a card yet");
  expect(linksOf(home)).toContain("Create your card /start");
});

test("each card can be shared, shown as a code and edited; one that visitors can't open only edited", async () => {
  const { ada, visitor } = await createSignedInApp();
  const id = await makeCard(ada);
  const name = cardFields.card_name;
  const home = await (await ada.get("/home")).text();
  expect(linksOf(home)).toEqual(
    expect.arrayContaining([`Share ${name} /share/card/${id}`, `Edit ${name} /cards/edit/${id}`]),
  );
  const code = readElements(home).find(
    ({ tag, attributes }) => tag === "img" && attributes["alt"]?.includes("QR code"),
  );
  expect(code?.attributes).toMatchObject({ src: `${await shortPathOf(visitor(), id)}/qr.svg`, loading: "lazy" });
  await ada.post(`/cards/${id}/pause`, { pause: "on" });
  const paused = await (await ada.get("/home")).text();
  expect(linksOf(paused)).toContain(`Edit ${name} /cards/edit/${id}`);
  for (const hidden of [`/share/card/${id}`, "/qr.svg"]) expect(paused).not.toContain(hidden);
});

test("visits, saves and clicks are those of the last seven days; Free says that they are counted", async () => {
  const { count, advance, read } = await openAnalytics();
  await count(3);
  advance(6 * 86_400_000);
  await count(2);
  await count(1, { kind: "save" });
  expect(await read("/home")).toContain("Last 7 days Analytics Visits 5 Saves 1 Clicks 0");
  advance(86_400_000);
  expect(await read("/home")).toContain("Visits 2 Saves 1");

  const free = await openAnalytics({ isFree: true });
  await free.count(3);
  const home = await free.read("/home");
  expect(home).toContain("Your visits are counted.");
  expect(home).not.toContain("Visits 3");
});

test("what is left to do is listed until it is done", async () => {
  const { ada, card, switchOff } = await openLeadForm();
  const open = async () => linksOf(await (await ada.get("/home")).text());
  expect(await open()).toContain("Add your photo /profile");
  expect((await open()).join()).not.toContain("Turn on the contact form");
  await switchOff();
  expect(await open()).toContain(`Turn on the contact form /cards/${card}/leads`);
});

test("the newest three leads lead to their pages", async () => {
  const { ada, send } = await openLeadForm();
  for (const name of ["Bob", "Cleo", "Dan", "Eva"]) await send({ name, email: `${name}@example.com` });
  const home = await (await ada.get("/home")).text();
  const names = [...home.matchAll(/<a [^>]*href="\/leads\/[\w-]{36}".*?<\/a>/gs)].map(([link]) => textOf(link));
  expect(names.map((name) => name.trim())).toEqual(["Unread: Eva", "Unread: Dan", "Unread: Cleo"]);
});
