import { sql } from "kysely";
import { describe, expect, test } from "vitest";

import {
  baseOf,
  cardFields as fields,
  fieldValue,
  makeCard,
  makeOnlyUserPremium,
  pendingToast,
} from "#tests/support/app/cards.ts";
import { profileForm, tagsNamed } from "#tests/support/app/profiles.ts";
import { textWith, visibleText } from "#tests/support/app/responses.ts";
import { createSignedInApp } from "#tests/support/app/test-app.ts";

async function openApp() {
  const { ada, ...app } = await createSignedInApp();
  const read = async (path: string) => (await ada.get(path)).text();
  const readPublic = async (path: string) => (await app.visitor().get(path)).text();
  return { ...app, ada, read, readPublic };
}

describe("creating a card", () => {
  test("starts with the profile's name, and leads to the share page of the card", async () => {
    const { ada, read, readPublic } = await openApp();
    const form = await read("/cards/edit");
    for (const text of [
      "Create Business Card",
      "Privacy Settings",
      "Make this card publicly accessible",
      'No professional links added yet. Click "Add Link" to get started.',
    ])
      expect(visibleText(form).replaceAll("&quot;", '"')).toContain(text);
    expect(form).not.toContain('target="_blank"');
    expect(fieldValue(form, "display_name")).toBe("ada");
    expect(fieldValue(form, "card_name")).toBe("ada Business Card");

    const made = await ada.post("/cards/edit", { ...fields, id: fieldValue(form, "id") });
    // The specification's address, which opens with Share.
    const opened = made.headers.get("location") ?? "";
    const id = /^\/cards\/edit\/([\da-f-]{36})\?tab=share$/.exec(opened)?.[1] ?? "";
    expect((await ada.get(opened)).headers.get("location")).toBe(`/share/card/${id}`);
    const text = "Business card created successfully.";
    expect(pendingToast(ada)).toEqual({ title: "Success", text, tone: "success" });
    expect(await read(`/share/card/${id}`)).toContain(text);
    const editor = await read(`/cards/edit/${id}`);
    expect(editor).toContain("Edit Business Card");
    expect(fieldValue(editor, "links.0.url")).toBe("https://ada.example/notes");
    const page = await readPublic(`/card/${id}`);
    for (const text of ["Mathematician", "Analytical Engines", "ada@example.com", "https://ada.example/notes"])
      expect(page).toContain(text);
    expect(page).not.toContain("My Business Card");
  });

  test("starts with all links that visitors see now, and says which ones it leaves out", async () => {
    const { ada, read } = await openApp();
    const day = 86_400_000;
    const url = "https://ada.example";
    const tab = "professional";
    const links = [
      { label: "Band", url },
      { label: "Work", url: "", kind: "heading" },
      { label: "Portfolio", url },
      { label: "Off", url, tab, on: false },
      { label: "Soon", url, tab, from: Date.now() + day },
      { label: "Over", url, tab, until: Date.now() - day },
      { label: "Moved", url, tab },
    ];
    await ada.get("/profile");
    expect((await ada.post("/profile", profileForm({}, links))).status).toBe(302);
    const form = await read("/cards/edit");
    const names = [0, 1, 2, 3].map((row) => fieldValue(form, `links.${row}.name`));
    expect(names).toEqual(["Band", "Portfolio", "Moved", ""]);
    expect(form).toContain("3 links that your profile doesn’t show now were left out.");
    const id = await makeCard(ada);
    expect(await read(`/cards/edit/${id}`)).not.toContain("left out");
  });

  test("redirects to the cards for a second one on Free, when opened and when sent", async () => {
    const { ada, read } = await openApp();
    await makeCard(ada);
    const limit = { title: "Free includes one business card", text: "You can edit the one you have." };
    await ada.get("/profile");
    expect((await ada.get("/cards/edit")).headers.get("location")).toBe("/profile");
    expect(pendingToast(ada)).toMatchObject(limit);
    await ada.get("/profile");
    expect((await ada.post("/cards/edit", fields)).headers.get("location")).toBe("/profile");
    expect(pendingToast(ada)).toMatchObject(limit);
    await ada.get("/profile");
    expect(visibleText(await read("/profile"))).toContain("Free includes one business card.");
  });

  test("never gives the address of a deleted card to another owner", async () => {
    const { ada, read, signedIn, visitor } = await openApp();
    const formId = fieldValue(await read("/cards/edit"), "id");
    const id = await makeCard(ada, { id: formId });
    await ada.post(`/cards/${id}/delete`, {});
    const eve = await signedIn("eve@example.com");
    for (const wanted of [id, formId]) {
      const taken = await eve.post("/cards/edit", { ...fields, id: wanted });
      expect(taken.headers.get("location")).not.toContain(id);
      expect((await visitor().get(`/card/${id}`)).status).toBe(404);
    }
  });

  test("creates one card from a form sent twice, and treats other content in it as an edit", async () => {
    const { ada, services } = await openApp();
    await makeOnlyUserPremium(ada, services);
    const id = crypto.randomUUID();
    const sent = await Promise.all([1, 2].map(() => ada.post("/cards/edit", { ...fields, id })));
    expect(sent.map(({ status }) => status)).toEqual([302, 302]);
    expect(new Set(sent.map((answer) => answer.headers.get("location"))).size).toBe(1);
    expect(await services.db.selectFrom("card").selectAll().execute()).toHaveLength(1);
    expect(
      await textWith(409, await ada.post("/cards/edit", { ...fields, id, company: "Another", version: "0" })),
    ).toContain("Another");
  });
});

describe("saving a card", () => {
  test("updates the public page at once, with the display name in the profile", async () => {
    const { ada, read, readPublic } = await openApp();
    const id = await makeCard(ada, { display_name: "Ada Lovelace" });
    expect(await readPublic(`/card/${id}`)).toContain("Ada Lovelace");
    // A form without the field leaves the name as it is.
    const saved = await ada.post(`/cards/edit/${id}`, { ...fields, company: "Babbage & Co", version: "1" });
    expect(saved.headers.get("location")).toBe(`/cards/edit/${id}`);
    expect(pendingToast(ada)).toMatchObject({ title: "Success", text: "Business card updated successfully." });
    expect(await readPublic(`/card/${id}`)).toContain("Babbage &amp; Co");
    expect(fieldValue(await read("/profile"), "displayName")).toBe("Ada Lovelace");
  });

  test("keeps what was typed in a rejected form, with the error next to the field, and saves neither card nor name", async () => {
    const { ada, read } = await openApp();
    const typed = {
      ...fields,
      card_name: " ",
      email: "ada@",
      years_experience: "12 or so",
      "links.0.name": "",
      "links.0.url": "javascript:alert(1)",
      position: "x".repeat(1_000_000),
    };
    const page = await textWith(422, await ada.post("/cards/edit", typed));
    for (const text of [
      "Card name is required",
      "Invalid email",
      "Invalid URL",
      "from 0 to 100",
      "Use at most 100 characters.",
    ])
      expect(page).toContain(text);
    // A valid URL would give the link a name.
    for (const text of ["Link name is required", 'href="javascript:']) expect(page).not.toContain(text);
    for (const name of ["email", "years_experience", "company", "links.0.url", "position"] as const)
      expect(fieldValue(page, name)).toBe(typed[name]);

    for (const isNew of [true, false]) {
      const path = isNew ? "/cards/edit" : `/cards/edit/${await makeCard(ada)}`;
      const cleared = { ...fields, display_name: " ", company: "Changed", version: "1" };
      const form = await textWith(422, await ada.post(path, cleared));
      expect(tagsNamed(form, "display_name")[0]).toContain('aria-invalid="true"');
      expect(form).toContain("Enter your name.");
      expect(fieldValue(form, "company")).toBe("Changed");
      for (const wrong of [{ display_name: "N".repeat(51) }, { display_name: "Countess", email: "ada@" }]) {
        const again = await ada.post(path, { ...fields, ...wrong, version: "1" });
        expect(again.status).toBe(422);
        expect(fieldValue(await again.text(), "display_name")).toBe(wrong.display_name);
      }
    }
    expect(fieldValue(await read("/profile"), "displayName")).toBe("ada");
  });

  test("changes a value on the owner's other cards that have the old one, if the form says so, in one save", async () => {
    const { ada, read, readPublic, services } = await openApp();
    await makeOnlyUserPremium(ada, services);
    const [first, second] = [await makeCard(ada), await makeCard(ada, { company: "Other" })];
    const box = (page: string) => tagsNamed(page, "all_cards");
    expect(box(await read("/cards/edit"))).toEqual([]);
    expect(box(await read(`/cards/edit/${first}`))).toHaveLength(1);
    const change = { ...fields, version: "1", phone: "+1 555 0100", company: "New", all_cards: "on" };
    const refused = await ada.post(`/cards/edit/${first}`, { ...change, email: "x" });
    expect(box(await refused.text()).join("")).toContain("checked");
    await ada.post(`/cards/edit/${first}`, change);
    const text = "Business card updated successfully. 1 other card was changed too.";
    expect(pendingToast(ada)).toEqual({ title: "Success", text, tone: "success" });
    const other = await read(`/cards/edit/${second}`);
    expect(["phone", "company"].map((name) => fieldValue(other, name))).toEqual(["+1 555 0100", "Other"]);
    expect(await readPublic(`/card/${second}`)).toContain("+1 555 0100");
    await ada.post(`/cards/edit/${first}`, { ...fields, version: "2", phone: "+1 555 0199" });
    expect(fieldValue(await read(`/cards/edit/${second}`), "phone")).toBe("+1 555 0100");
  });

  test("reports a full disk, keeps the text, and saves again when there is space", async () => {
    const { ada, services } = await openApp();
    const id = await makeCard(ada);
    const url = `https://ada.example/${"x".repeat(2_000)}`;
    const rows = Array.from({ length: 8 }, (_, row) => ({ [`links.${row}.name`]: "Link", [`links.${row}.url`]: url }));
    const full = Object.assign({ ...fields, company: "Typed for an hour", version: "1" }, ...rows);
    await sql`pragma max_page_count = 1`.execute(services.db);
    const page = await textWith(503, await ada.post(`/cards/edit/${id}`, full));
    expect(page).toContain("Failed to save business card: the server is out of disk space.");
    expect(fieldValue(page, "company")).toBe("Typed for an hour");
    await sql`pragma max_page_count = 1000000`.execute(services.db);
    expect((await ada.post(`/cards/edit/${id}`, full)).status).toBe(302);
  });

  test("keeps the text after an unexpected error, which is logged with the request's id", async () => {
    const { ada, services, logLines } = await openApp();
    const id = await makeCard(ada);
    // The page is read from the same table, so only the write may fail.
    const trigger = sql`create trigger broken before update on card begin select raise(abort, 'broken disk'); end`;
    await trigger.execute(services.db);
    const failed = await ada.post(`/cards/edit/${id}`, { ...fields, version: "1", company: "Typed for an hour" });
    const page = await textWith(500, failed);
    expect(page).toContain("Failed to save business card.");
    expect(fieldValue(page, "company")).toBe("Typed for an hour");
    expect(page).not.toContain("broken disk");
    expect(logLines).toContainEqual(
      expect.objectContaining({ id: failed.headers.get("x-request-id"), msg: "card not saved" }),
    );
  });

  test("merges changes of different fields from two tabs, and asks about a field that both changed", async () => {
    const { ada, read, readPublic } = await openApp();
    const id = await makeCard(ada);
    const opened = await read(`/cards/edit/${id}`);
    const form = { ...fields, "links.0.id": fieldValue(opened, "links.0.id"), version: "1", base: baseOf(opened) };
    const save = (more: Record<string, string>) => ada.post(`/cards/edit/${id}`, { ...form, ...more });
    expect((await save({ company: "First tab", display_name: "Ada" })).status).toBe(302);
    // The same again is no conflict, even without its base.
    const same = { ...fields, company: "First tab", version: "1" };
    expect((await ada.post(`/cards/edit/${id}`, same)).status).toBe(302);
    expect((await save({ position: "Second tab" })).status).toBe(302);
    const page = await readPublic(`/card/${id}`);
    for (const text of ["First tab", "Second tab"]) expect(page).toContain(text);

    const change = { company: "Third tab", phone: "+44 1" };
    const question = await textWith(409, await save(change));
    const texts = ["also changed in another tab or on another device", "Third tab", "First tab", "Saved elsewhere"];
    for (const text of texts) expect(question).toContain(text);
    expect(fieldValue(question, "company")).toBe("Third tab");
    expect(baseOf(question)).toBe(form.base);
    // Without an answer it is asked again.
    const replaces = fieldValue(question, "replaces");
    expect((await save({ ...change, replaces })).status).toBe(409);
    expect((await save({ ...change, replaces, "keep.company": "other" })).status).toBe(302);
    const editor = await read(`/cards/edit/${id}`);
    const stored = ["company", "position", "phone"].map((name) => fieldValue(editor, name));
    expect(stored).toEqual(["First tab", "Second tab", "+44 1"]);
  });
});
