import { expect, test } from "vitest";

import type { DetailsSaveResult, DialogCardResult } from "#app/features/cards/dialog/details-form.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

test("the card dialog saves only the changed fields of the card and the profile, and says why a card is hidden", async () => {
  const { ada, id, visitor } = await openCard();
  await visitor().get(`/card/${id}`);
  const card = await open(ada, id);
  if (card.problem) throw new Error(card.problem.text);
  expect(card.values).toMatchObject({ display_name: "ada", company: "Analytical Engines", bio: "" });
  expect(card.hidden).toBeUndefined();
  expect(card.qr.d).toMatch(/^M/);

  const change = { position: " Countess ", display_name: "Ada Lovelace", bio: "Poetical\r\nscience" };
  const saved = await save(ada, id, change);
  expect(saved.status).toBe(200);
  const text = "Your business card information has been updated.";
  expect(saved.answer.toast).toEqual({ title: "Details Saved", text, tone: "success" });
  const stored = { position: "Countess", display_name: "Ada Lovelace", bio: "Poetical\nscience" };
  expect(await open(ada, id)).toMatchObject({ values: { ...stored, company: "Analytical Engines" } });
  expect(await (await visitor().get(`/card/${id}`)).text()).toContain("Ada Lovelace");

  await ada.post(`/cards/edit/${id}`, { card_name: "Card", version: "2" });
  expect(await open(ada, id)).toMatchObject({ hidden: { title: "Not public" } });
});

test("the card dialog changes card and profile or neither, reports errors by field, and says why saving failed", async () => {
  const { ada, id, services, signedIn } = await openCard();
  const unchanged = { display_name: "ada", company: "Analytical Engines", email: "ada@example.com" };
  const problems = { email: "Invalid email", bio: "Use at most 160 characters for the bio." };
  const wrong = await save(ada, id, { company: "Changed", email: "ada@", bio: "b".repeat(161) });
  expect([wrong.status, wrong.answer.errors]).toEqual([422, problems]);
  const nameless = await save(ada, id, { company: "Changed", display_name: " " });
  expect(nameless).toMatchObject({ status: 422, answer: { errors: { display_name: "Enter your name." } } });
  expect(await open(ada, id)).toMatchObject({ values: unchanged });

  const eve = await signedIn("eve@example.com");
  const refused = await save(eve, id, { display_name: "Mallory", company: "Eve" });
  expect(refused).toMatchObject({ status: 404, answer: { toast: { title: "Save Failed" } } });
  expect(await open(eve, await makeCard(eve))).toMatchObject({ values: { display_name: "eve" } });

  await services.db.schema.alterTable("profile").renameColumn("bio", "bio_gone").execute();
  const sent = { company: "Changed", bio: "New" };
  expect(await save(ada, id, sent)).toMatchObject({ status: 500, answer: { sent, toast: { title: "Save Failed" } } });
  await services.db.schema.alterTable("profile").renameColumn("bio_gone", "bio").execute();
  expect(await open(ada, id)).toMatchObject({ values: unchanged });
});

test("the card dialog opens from the owner's own profile only", async () => {
  const { ada, visitor, signedIn } = await openCard();
  await ada.post("/profile", profileForm());
  const path = `/u/${await userIdOf(ada)}`;
  const isOffered = async (person: Visitor) => (await (await person.get(path)).text()).includes("View Card");
  const people = [ada, visitor(), await signedIn("eve@example.com")];
  expect(await Promise.all(people.map(isOffered))).toEqual([true, false, false]);
});

async function openCard() {
  const app = await createTestApp();
  const ada = await app.signedIn();
  return { ...app, ada, id: await makeCard(ada) };
}

async function open(person: Visitor, id: string): Promise<DialogCardResult> {
  return (await person.get(`/cards/${id}/details`)).json();
}

async function save(person: Visitor, id: string, change: Record<string, string>) {
  const response = await person.post(`/cards/${id}/details`, change);
  const answer: DetailsSaveResult = await response.json();
  return { status: response.status, answer };
}
