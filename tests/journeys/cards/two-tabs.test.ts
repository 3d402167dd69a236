import { describe, expect, test } from "vitest";

import { baseOf, cardFields as fields, fieldValue, makeCard } from "#tests/support/app/cards.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

describe("a card in two tabs", () => {
  test("merges changes of different fields from two sessions, and asks about a field that both changed", async () => {
    const { signedIn, visitor } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    const opened = await (await ada.get(`/cards/edit/${id}`)).text();
    const form = { ...fields, "links.0.id": fieldValue(opened, "links.0.id"), version: "1", base: baseOf(opened) };
    const save = (more: Record<string, string>) => ada.post(`/cards/edit/${id}`, { ...form, ...more });
    expect((await save({ company: "First tab", display_name: "Ada" })).status).toBe(302);
    expect((await save({ position: "Second tab" })).status).toBe(302);
    const page = await (await visitor().get(`/card/${id}`)).text();
    for (const text of ["First tab", "Second tab"]) expect(page).toContain(text);

    const late = await save({ company: "Third tab", phone: "+44 1" });
    expect(late.status).toBe(409);
    const question = await late.text();
    for (const text of [
      "also changed in another tab or on another device",
      "Third tab",
      "First tab",
      "Saved elsewhere",
    ])
      expect(question).toContain(text);
    expect(fieldValue(question, "company")).toBe("Third tab");
    expect(baseOf(question)).toBe(form.base);
    // Without an answer it is asked again.
    const replaces = fieldValue(question, "replaces");
    expect((await save({ company: "Third tab", phone: "+44 1", replaces })).status).toBe(409);
    const answer = { replaces, "keep.company": "other" };
    expect((await save({ company: "Third tab", phone: "+44 1", ...answer })).status).toBe(302);
    const editor = await (await ada.get(`/cards/edit/${id}`)).text();
    expect(["company", "position", "phone"].map((name) => fieldValue(editor, name))).toEqual([
      "First tab",
      "Second tab",
      "+44 1",
    ]);
  });

  test("reports no conflict when both tabs saved the same", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    const change = { ...fields, company: "Babbage & Co", version: "1" };
    const sent = await Promise.all([1, 2, 3].map(() => ada.post(`/cards/edit/${id}`, change)));
    expect(sent.map(({ status }) => status)).toEqual([302, 302, 302]);
  });
});
