import { describe, expect, test } from "vitest";

import type { DetailsSaveResult, DialogCardResult } from "#app/features/cards/dialog/details-form.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";

type TestUser = Awaited<ReturnType<TestApp["signedIn"]>>;

describe("the card dialog", () => {
  test("shows the card, its owner's name and bio, and a QR code for its page", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    const card = await open(ada, id);
    if (card.problem) throw new Error(card.problem.text);
    expect(card.values).toMatchObject({ display_name: "ada", company: "Analytical Engines", bio: "" });
    expect(card.hidden).toBeUndefined();
    expect(card.qr.d).toMatch(/^M/);
  });

  test("says why visitors do not see a private card", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada, { is_public: "" });
    expect(await open(ada, id)).toMatchObject({ hidden: { title: "Not public" } });
  });

  test("saves only the changed fields of the card and the profile", async () => {
    const { signedIn, visitor } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    await visitor().get(`/card/${id}`);
    const saved = await save(ada, id, {
      position: " Countess ",
      display_name: "Ada Lovelace",
      bio: "Poetical\r\nscience",
    });
    expect(saved.status).toBe(200);
    expect(saved.answer.toast).toEqual({
      title: "Details Saved",
      text: "Your business card information has been updated.",
      tone: "success",
    });
    expect(await open(ada, id)).toMatchObject({
      values: {
        position: "Countess",
        display_name: "Ada Lovelace",
        bio: "Poetical\nscience",
        company: "Analytical Engines",
      },
    });
    expect(await (await visitor().get(`/card/${id}`)).text()).toContain("Ada Lovelace");
  });

  test("refuses to clear the owner's name", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    const refused = await save(ada, id, { display_name: " ", company: "Changed" });
    expect(refused).toMatchObject({ status: 422, answer: { errors: { display_name: "Enter your name." } } });
    expect(await open(ada, id)).toMatchObject({ values: { display_name: "ada", company: "Analytical Engines" } });
  });

  test("changes both or neither, and reports errors by field", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    const refused = await save(ada, id, { company: "Changed", email: "ada@", bio: "b".repeat(161) });
    expect(refused.status).toBe(422);
    expect(refused.answer.errors).toEqual({ email: "Invalid email", bio: "Use at most 160 characters for the bio." });
    expect(await open(ada, id)).toMatchObject({ values: { company: "Analytical Engines", email: "ada@example.com" } });
  });

  test("doesn't change a name through another owner's card", async () => {
    const { signedIn } = await createTestApp();
    const id = await makeCard(await signedIn());
    const eve = await signedIn("eve@example.com");
    const refused = await save(eve, id, { display_name: "Mallory", company: "Eve" });
    expect(refused.status).toBe(404);
    expect(refused.answer.toast).toMatchObject({ title: "Save Failed" });
    const own = await open(eve, await makeCard(eve));
    expect(own).toMatchObject({ values: { display_name: "eve" } });
  });

  test("keeps what was typed and says why saving failed", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    await services.db.schema.alterTable("profile").renameColumn("bio", "bio_gone").execute();
    const failed = await save(ada, id, { company: "Changed", bio: "New" });
    expect(failed.status).toBe(500);
    expect(failed.answer).toMatchObject({ sent: { company: "Changed", bio: "New" }, toast: { title: "Save Failed" } });
    await services.db.schema.alterTable("profile").renameColumn("bio_gone", "bio").execute();
    expect(await open(ada, id)).toMatchObject({ values: { company: "Analytical Engines" } });
  });

  test("opens from the owner's own profile only", async () => {
    const { signedIn, visitor } = await createTestApp();
    const ada = await signedIn();
    await makeCard(ada);
    const path = (await ada.post("/profile", await profileForm(ada))).headers.get("location") ?? "";
    expect(path).toMatch(/^\/u\//);
    expect(await (await ada.get(path)).text()).toContain("View Card");
    expect(await (await visitor().get(path)).text()).not.toContain("View Card");
    expect(await (await (await signedIn("eve@example.com")).get(path)).text()).not.toContain("View Card");
  });
});

async function open(person: TestUser, id: string): Promise<DialogCardResult> {
  return (await person.get(`/cards/${id}/details`)).json();
}

async function save(person: TestUser, id: string, change: Record<string, string>) {
  const response = await person.post(`/cards/${id}/details`, change);
  const answer: DetailsSaveResult = await response.json();
  return { status: response.status, answer };
}

/** The profile's form unchanged: sending it changes nothing. */
async function profileForm(person: TestUser): Promise<Record<string, string>> {
  const page = await (await person.get("/profile")).text();
  const version = /name="version"[^>]*value="(\d+)"/.exec(page)?.[1] ?? "1";
  return { displayName: "ada", bio: "", handle: "", theme: "default", showBusinessCard: "on", version };
}
