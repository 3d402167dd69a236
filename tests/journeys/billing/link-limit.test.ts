import { gzipSync } from "node:zlib";

import { expect, test } from "vitest";

import { cardFields, makeCard } from "#tests/support/app/cards.ts";
import { makeFree, makePremium, profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { textWith, visibleText } from "#tests/support/app/responses.ts";
import { createSignedInApp } from "#tests/support/app/test-app.ts";

const sites = "github.com/ada instagram.com/ada youtube.com/@ada notes.ada.example cal.com/ada gitlab.com/ada".split(
  " ",
);
const links = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ label: `Project number ${n}`, url: `https://${sites[n % 6]}/${n}` }));
const linksOfCard = (count: number) =>
  Object.fromEntries(
    links(count).flatMap(({ label, url }, n) => [
      [`links.${n}.name`, label],
      [`links.${n}.url`, url],
    ]),
  );

test("8 links are part of Free and 30 of Premium, on the profile and on a card, whose pages stay small", async () => {
  const { ada, services, visitor } = await createSignedInApp();
  const id = await userIdOf(ada);
  const saveProfile = (version: number, count: number) =>
    ada.post("/profile", profileForm({ version: String(version) }, links(count)));
  const card = await makeCard(ada);
  const saveCard = (version: number, count: number, more = {}) =>
    ada.post(`/cards/edit/${card}`, { ...cardFields, ...linksOfCard(count), version: String(version), ...more });
  const readLinks = async (path: string) => {
    const page = await (await visitor().get(path)).text();
    // Roughly as the build minifies the stylesheet.
    const built = page.replaceAll(/<style[^]*?<\/style>/g, (css) =>
      css.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/\s*([{};:,])\s*|\s+/g, (_, sign?: string) => sign ?? " "),
    );
    return { size: gzipSync(built, { level: 9 }).length, count: page.split("Project number").length - 1 };
  };
  for (const refused of [await saveProfile(1, 9), await saveCard(1, 9)])
    expect(await textWith(422, refused)).toContain("You can add a maximum of 8 links.");

  await makePremium(services, id);
  for (const saved of [await saveProfile(1, 30), await saveCard(1, 30)]) expect(saved.status).toBe(302);
  expect(visibleText(await (await ada.get("/profile")).text())).toContain("30 of 30");
  for (const refused of [await saveProfile(2, 31), await saveCard(2, 31)])
    expect(await textWith(422, refused)).toContain("You can add a maximum of 30 links.");
  for (const path of [`/u/${id}`, `/card/${card}`]) {
    const { size, count } = await readLinks(path);
    expect([path, count, size <= 10_000]).toEqual([path, 30, true]);
  }

  await makeFree(services, id);
  expect((await readLinks(`/u/${id}`)).count).toBe(30);
  expect((await saveCard(2, 30, { company: "New" })).status).toBe(302);
  expect((await saveProfile(2, 29)).status).toBe(302);
  for (const refused of [await saveProfile(3, 30), await saveCard(3, 31)])
    expect(await textWith(422, refused)).toContain("You can add a maximum of");
});
