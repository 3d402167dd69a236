import { sql } from "kysely";
import { describe, expect, test } from "vitest";

import {
  cardFields as fields,
  makeCard,
  pendingToast,
  makeOnlyUserPremium,
  fieldValue,
} from "#tests/support/app/cards.ts";
import { profileForm } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

describe("creating a card", () => {
  test("starts with the profile's name, and leads to the share page of the card", async () => {
    const { signedIn, visitor } = await createTestApp();
    const ada = await signedIn();
    const form = await (await ada.get("/cards/edit")).text();
    for (const text of ["Create Business Card", "Back to Profile", "Basic Information", "Professional Information"]) {
      expect(form).toContain(text);
    }
    for (const text of ["Privacy Settings", "Make this card publicly accessible", "Save Changes"])
      expect(form).toContain(text);
    expect(form).toContain("No professional links added yet. Click &quot;Add Link&quot; to get started.");
    expect(form).not.toContain('target="_blank"');
    expect(fieldValue(form, "display_name")).toBe("ada");
    expect(form).toContain("Shown on your profile and all your cards");
    expect(fieldValue(form, "card_name")).toBe("ada Business Card");

    const made = await ada.post("/cards/edit", { ...fields, id: fieldValue(form, "id") });
    const id = (made.headers.get("location") ?? "").replace("/share/card/", "");
    expect(id).toMatch(/^[\da-f-]{36}$/);
    expect(pendingToast(ada)).toEqual({
      title: "Success",
      text: "Business card created successfully.",
      tone: "success",
    });

    expect(await (await ada.get(made.headers.get("location") ?? "")).text()).toContain("created successfully");
    const editor = await (await ada.get(`/cards/edit/${id}`)).text();
    expect(editor).toContain("Edit Business Card");
    expect(editor).toContain("Preview");
    expect(fieldValue(editor, "links.0.url")).toBe("https://ada.example/notes");

    const page = await (await visitor().get(`/card/${id}`)).text();
    for (const text of ["Mathematician", "Analytical Engines", "ada@example.com", "https://ada.example/notes"]) {
      expect(page).toContain(text);
    }
    expect(page).not.toContain("My Business Card");
  });

  test("starts with the professional links that visitors see now, without hidden, scheduled or personal ones", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    const [past, next] = [Date.now() - 86_400_000, Date.now() + 86_400_000].map(String);
    const link = (at: number, label: string, more: Record<string, string> = { on: "on" }) =>
      Object.entries({ label, url: `https://ada.example/${at}`, ...more }).map(([name, value]) => [
        `links.${at}.${name}`,
        value,
      ]);
    const work = { on: "on", tab: "professional" };
    const links = [
      link(0, "Band"),
      link(1, "Work", { on: "on", kind: "heading", url: "" }),
      link(2, "Portfolio"),
      link(3, "Off", { tab: "professional" }),
      link(4, "Soon", { ...work, from: next ?? "" }),
      link(5, "Over", { ...work, until: past ?? "" }),
      link(6, "Moved", work),
    ].flat();
    await ada.get("/profile");
    expect((await ada.post("/profile", profileForm(Object.fromEntries(links)))).status).toBe(302);
    const form = await (await ada.get("/cards/edit")).text();
    expect([0, 1].map((row) => fieldValue(form, `links.${row}.name`))).toEqual(["Portfolio", "Moved"]);
    for (const name of ["Band", "Work", "Off", "Soon", "Over"]) expect(form).not.toContain(`value="${name}"`);
  });

  test("redirects to the cards for a second one on Free, when opened and when sent", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    await makeCard(ada);
    const limit = { title: "Free includes one business card", text: "You can edit the one you have." };
    await ada.get("/profile");
    expect((await ada.get("/cards/edit")).headers.get("location")).toBe("/profile");
    expect(pendingToast(ada)).toMatchObject(limit);
    await ada.get("/profile");
    expect((await ada.post("/cards/edit", fields)).headers.get("location")).toBe("/profile");
    expect(pendingToast(ada)).toMatchObject(limit);
    expect(await (await ada.get("/profile")).text()).toMatch(/Free includes one business card(?:<!-- -->)?\.<\/p>/);
  });

  test("creates one card on Free when 20 forms are sent at once", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ada.post("/cards/edit", fields)));
    const to = answers.map((answer) => answer.headers.get("location") ?? "");
    expect(to.filter((path) => path === "/profile")).toHaveLength(19);
    expect(await services.db.selectFrom("card").selectAll().execute()).toHaveLength(1);
  });

  test("never gives the address of a deleted card to another owner", async () => {
    const { signedIn, visitor } = await createTestApp();
    const ada = await signedIn();
    const form = await (await ada.get("/cards/edit")).text();
    const formId = fieldValue(form, "id");
    const made = await ada.post("/cards/edit", { ...fields, id: formId });
    const id = (made.headers.get("location") ?? "").replace("/share/card/", "");
    await ada.post(`/cards/${id}/delete`, {});
    const eve = await signedIn("eve@example.com");
    for (const wanted of [id, formId]) {
      const taken = await eve.post("/cards/edit", { ...fields, id: wanted });
      expect(taken.headers.get("location")).not.toBe(`/share/card/${id}`);
      expect((await visitor().get(`/card/${id}`)).status).toBe(404);
    }
  });

  test("creates one card from a form sent twice, and treats other content in it as an edit", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    await makeOnlyUserPremium(ada, services);
    const id = crypto.randomUUID();
    const sent = await Promise.all([1, 2].map(() => ada.post("/cards/edit", { ...fields, id })));
    expect(sent.map(({ status }) => status)).toEqual([302, 302]);
    expect(new Set(sent.map((answer) => answer.headers.get("location"))).size).toBe(1);
    expect(await services.db.selectFrom("card").selectAll().execute()).toHaveLength(1);
    const goneBack = await ada.post("/cards/edit", { ...fields, id, company: "Another", version: "0" });
    expect(goneBack.status).toBe(409);
    expect(await goneBack.text()).toContain("Another");
  });
});

describe("a rejected form", () => {
  test("keeps what was typed, with the error next to the field", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    const typed = {
      ...fields,
      card_name: " ",
      email: "ada@",
      years_experience: "12 or so",
      "links.0.name": "",
      "links.0.url": "ada notes",
    };
    const answer = await ada.post("/cards/edit", typed);
    expect(answer.status).toBe(422);
    const page = await answer.text();
    for (const text of ["Card name is required", "Invalid email", "Invalid URL", "from 0 to 100"]) {
      expect(page).toContain(text);
    }
    // A valid URL would give the link a name.
    expect(page).not.toContain("Link name is required");
    for (const name of ["email", "years_experience", "company", "links.0.url"] as const) {
      expect(fieldValue(page, name)).toBe(typed[name]);
    }
  });

  test("escapes whatever was sent", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    const odd = [
      "\u0000",
      "\ud800",
      "‮ada",
      "a".repeat(1_000_000),
      "\u0316\u0301".repeat(100_000),
      "<script>",
      "👩‍🚀".repeat(50),
      "x\r\nBcc: y",
    ];
    for (const value of odd) {
      const names = [
        "card_name",
        "email",
        "phone",
        "years_experience",
        "links.0.id",
        "links.0.url",
        "version",
        "id",
        "unknown",
      ];
      for (const name of names) {
        const answer = await ada.post(`/cards/edit/${id}`, { ...fields, [name]: value });
        expect([200, 302, 409, 422], `${name}: ${value.slice(0, 10)}`).toContain(answer.status);
      }
    }
    const json = { "content-type": "application/json", origin: "http://localhost:3000" };
    for (const path of ["/cards/edit", `/cards/edit/${id}`]) {
      const answer = await ada.request(path, { method: "POST", headers: json, body: "{" });
      expect([302, 422]).toContain(answer.status);
    }
  });

  test("is refused from another site", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    for (const path of ["/cards/edit", `/cards/edit/${id}`, `/cards/${id}/delete`, `/cards/${id}/details`]) {
      expect((await ada.post(path, fields, { origin: "https://evil.example" })).status).toBe(403);
    }
  });
});

describe("saving a card", () => {
  test("updates the public page at once", async () => {
    const { signedIn, visitor } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    await visitor().get(`/card/${id}`);
    const saved = await ada.post(`/cards/edit/${id}`, { ...fields, company: "Babbage & Co", version: "1" });
    expect(saved.headers.get("location")).toBe(`/cards/edit/${id}`);
    expect(pendingToast(ada)).toMatchObject({ title: "Success", text: "Business card updated successfully." });
    expect(await (await visitor().get(`/card/${id}`)).text()).toContain("Babbage &amp; Co");
  });

  test("saves the display name with the card, in the profile, or neither", async () => {
    const { signedIn, visitor } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada, { display_name: "Ada Lovelace" });
    expect(await (await visitor().get(`/card/${id}`)).text()).toContain("Ada Lovelace");
    for (const bad of [
      { display_name: "N".repeat(51) },
      { display_name: "" },
      { display_name: "Countess", email: "ada@" },
    ]) {
      const refused = await ada.post(`/cards/edit/${id}`, { ...fields, ...bad, version: "1" });
      expect(refused.status).toBe(422);
      expect(fieldValue(await refused.text(), "display_name")).toBe(bad.display_name);
    }
    const profile = await (await ada.get("/profile")).text();
    expect(fieldValue(profile, "displayName")).toBe("Ada Lovelace");
    // A form without the field leaves the name as it is.
    expect((await ada.post(`/cards/edit/${id}`, { ...fields, version: "1" })).status).toBe(302);
    expect(fieldValue(await (await ada.get("/profile")).text(), "displayName")).toBe("Ada Lovelace");
  });

  test("asks next to the field for a name that was cleared, also on a new card", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    for (const path of [async () => "/cards/edit", async () => `/cards/edit/${await makeCard(ada)}`]) {
      const refused = await ada.post(await path(), { ...fields, display_name: " ", company: "Changed", version: "1" });
      expect(refused.status).toBe(422);
      const page = await refused.text();
      expect(page).toMatch(/<input[^>]*aria-invalid="true"[^>]*name="display_name"/);
      expect(page).toContain("Enter your name.");
      expect(fieldValue(page, "company")).toBe("Changed");
    }
  });

  test("reports a full disk, keeps the text, and saves again when there is space", async () => {
    const { signedIn, services } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    const long = Object.fromEntries(
      Array.from({ length: 8 }, (_, row) => [
        [`links.${row}.name`, `Link ${row}`],
        [`links.${row}.url`, `https://ada.example/${"x".repeat(2_000)}`],
      ]).flat(),
    );
    const full = { ...fields, ...long, company: "Typed for an hour", version: "1" };
    await sql`pragma max_page_count = 1`.execute(services.db);
    const refused = await ada.post(`/cards/edit/${id}`, full);
    expect(refused.status).toBe(503);
    const page = await refused.text();
    expect(page).toContain("Failed to save business card: the server is out of disk space.");
    expect(fieldValue(page, "company")).toBe("Typed for an hour");

    await sql`pragma max_page_count = 1000000`.execute(services.db);
    expect((await ada.post(`/cards/edit/${id}`, full)).status).toBe(302);
  });

  test("keeps the text after an unexpected error, which is logged with the request's id", async () => {
    const { signedIn, services, logLines } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    // The page is read from the same table, so only the write may fail.
    await sql`create trigger broken before update on card begin select raise(abort, 'broken disk'); end`.execute(
      services.db,
    );
    const failed = await ada.post(`/cards/edit/${id}`, { ...fields, version: "1", company: "Typed for an hour" });
    await sql`drop trigger broken`.execute(services.db);
    expect(failed.status).toBe(500);
    const page = await failed.text();
    expect(page).toContain("Failed to save business card.");
    expect(page).toContain('value="Typed for an hour"');
    expect(page).not.toContain("broken disk");
    expect(logLines).toContainEqual(
      expect.objectContaining({ id: failed.headers.get("x-request-id"), msg: "card not saved" }),
    );
    expect((await ada.get(`/cards/edit/${id}`)).status).toBe(200);
  });
});
