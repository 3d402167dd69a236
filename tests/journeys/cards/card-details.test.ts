import { describe, expect, test } from "vitest";

import type { DetailsSaveResult, DialogCardResult } from "#app/features/cards/dialog/details-form.ts";
import { cardFields as fields, fieldValue, makeCard } from "#tests/support/app/cards.ts";
import { profileForm, tagsNamed, userIdOf } from "#tests/support/app/profiles.ts";
import { readElements, textWith, visibleText } from "#tests/support/app/responses.ts";
import { createSignedInApp, createTestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

const more = {
  "phones.0.kind": "mobile",
  "phones.0.value": "+44 7700 900123",
  "emails.0.kind": "home",
  "emails.0.value": "ada@home.example",
  prefix: "Dr.",
  suffix: "PhD",
  pronouns: "she/her",
  department: "Department of Numbers",
  website: "engines.example/research",
  street: "12 St James's Sq",
  city: "London",
  postcode: "SW1Y 4JH",
  country: "United Kingdom",
};

/** What visitors see of Ada's new card: the texts of its page, the targets of its links, and the unfolded lines of its contact file. */
async function openCard(values: Record<string, string> = {}) {
  const app = await createTestApp();
  const { visitor } = app;
  const ada = await app.signedIn();
  const id = await makeCard(ada, values);
  const readCard = async () => {
    const page = await (await visitor().get(`/card/${id}`)).text();
    const file = await (await visitor().get(`/card/${id}/contact.vcf`)).text();
    const hrefs = readElements(page).map(({ attributes }) => attributes["href"]);
    return { text: visibleText(page), page, hrefs, file: file.replaceAll("\r\n ", "") };
  };
  return { ...app, ada, id, readCard };
}

describe("the optional fields of a card", () => {
  test("are on its page and in its contact file as soon as they are filled in, and stay when others change", async () => {
    const { ada, id, readCard } = await openCard(more);
    const { text, hrefs, file } = await readCard();
    const shown = ["Dr. ada, PhD", "she/her", "Department of Numbers", "ada@home.example", "London, SW1Y 4JH"];
    for (const content of shown) expect(text).toContain(content);
    expect(hrefs).toEqual(expect.arrayContaining(["tel:+447700900123", "https://engines.example/research"]));
    for (const line of [
      "N:;ada;;Dr.;PhD",
      "ORG:Analytical Engines;Department of Numbers",
      "TEL;TYPE=CELL,VOICE:+44 7700 900123",
      "EMAIL;TYPE=INTERNET,HOME:ada@home.example",
      "URL:https://engines.example/research",
      "ADR;TYPE=WORK:;;12 St James's Sq;London;;SW1Y 4JH;United Kingdom",
      String.raw`NOTE:12 years of experience\nPronouns: she/her`,
    ])
      expect(file).toContain(`${line}\r\n`);

    await ada.post(`/cards/${id}/details`, { company: "Changed" });
    const changed = await readCard();
    for (const content of ["Changed", ...shown.slice(1)]) expect(changed.text).toContain(content);
  });

  test("dial on the page, in the signature and on the profile what the contact file has as it was typed", async () => {
    const phone = "Tel: +1 604 555 0100 Local 212";
    const url = "tel:+1 604 555 0101 x12";
    const { ada, id, readCard } = await openCard({ phone, "links.0.name": "Desk", "links.0.url": url });
    const { hrefs, text, file } = await readCard();
    const dialed = ["tel:+16045550100;ext=212", "tel:+16045550101;ext=12"];
    expect(hrefs).toEqual(expect.arrayContaining(dialed));
    expect(text).toContain(phone);
    expect(file).toContain(`TEL;TYPE=WORK,VOICE:${phone}\r\n`);
    expect(await (await ada.get(`/share/card/${id}/signature.html`)).text()).toContain(`href="${dialed[0]}"`);
    await ada.post("/profile", profileForm({}, [{ label: "Desk", url }]));
    const profile = await (await ada.get(`/u/${await userIdOf(ada)}`)).text();
    expect(profile).toContain(`href="${dialed[1]}"`);
    expect(visibleText(profile)).toContain("+1 604 555 0101 x12");
  });

  test("are hidden from the page or the contact file, field by field", async () => {
    const fileOnly = ["visibility.email", "phones.0.visibility", "visibility.address", "visibility.pronouns"];
    const pageOnly = ["visibility.phone", "emails.0.visibility", "visibility.website", "visibility.suffix"];
    const visibility = [...fileOnly.map((name) => [name, "file"]), ...pageOnly.map((name) => [name, "page"])];
    const { ada, id, readCard } = await openCard({ ...more, ...Object.fromEntries(visibility) });
    const { page, file } = await readCard();
    for (const content of ["ada@example.com", "900123", "St James", "London", "she/her"]) {
      expect(page).not.toContain(content);
      expect(file).toContain(content);
    }
    for (const content of ["7946 0000", "ada@home.example", "engines.example", "PhD"]) {
      expect(file).not.toContain(content);
      expect(page).toContain(content);
    }
    const dialog = await (await ada.get(`/cards/${id}/details`)).json();
    expect(dialog).toMatchObject({ values: { email: "ada@example.com" }, view: { email: null } });
  });

  test("are in a section that is closed while they are empty, and sent with the form", async () => {
    const { ada } = await createSignedInApp();
    const fresh = await (await ada.get("/cards/edit")).text();
    expect(section(fresh)).toMatch(/<details class/);
    for (const name of ["prefix", "website", "street", "visibility.email", "visibility.address"])
      expect(fresh).toContain(`name="${name}"`);
    // Without script no button can add a row, so there is one of each.
    expect(section(fresh)).toMatch(/<noscript>.*name="phones.0.value".*<\/noscript>/s);
    // Free offers the theme's accent and four more while Premium isn't sold.
    expect(tagsNamed(fresh, "accent")).toHaveLength(5);
    const card = await makeCard(ada, { ...more, accent: "blue", layout: "cover" });
    const editor = await (await ada.get(`/cards/edit/${card}`)).text();
    for (const [name, value] of Object.entries({ accent: "blue", layout: "cover" }))
      expect(tagsNamed(editor, name).find((tag) => tag.includes(`checked=""`))).toContain(`value="${value}"`);
    expect(section(editor)).toMatch(/<noscript>.*name="phones.1.value".*<\/noscript>/s);
    expect(section(editor)).toMatch(/<details open/);
    expect(fieldValue(editor, "phones.0.value")).toBe("+44 7700 900123");
    expect(fieldValue(editor, "website")).toBe("https://engines.example/research");
  });

  test("keep what was typed and chosen, and open when one has an error", async () => {
    const { ada } = await createSignedInApp();
    const typed = { ...more, "emails.0.value": "ada@", website: "not an address", "phones.0.visibility": "file" };
    const page = await textWith(422, await ada.post("/cards/edit", { ...fields, ...typed }));
    expect(section(page)).toMatch(/<details open/);
    for (const content of ["Invalid email", "Invalid URL"]) expect(section(page)).toContain(content);
    expect(fieldValue(page, "emails.0.value")).toBe("ada@");
    expect(fieldValue(page, "street")).toBe("12 St James&#x27;s Sq");
    expect(["visibility", "kind"].map((name) => chosen(page, `phones.0.${name}`))).toEqual(["file", "mobile"]);
  });
});

function section(page: string): string {
  return /<section aria-labelledby="more-title".*?<\/section>/s.exec(page)?.[0] ?? "";
}

function chosen(page: string, name: string): string {
  const select = new RegExp(`<select[^>]*name="${name}".*?</select>`, "s").exec(page)?.[0] ?? "";
  return /<option value="([^"]*)" selected/.exec(select)?.[1] ?? "";
}

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
  const typed = { company: "Changed", email: "ada@", bio: "b".repeat(161) };
  const wrong = await save(ada, id, typed);
  expect([wrong.status, wrong.answer.errors, wrong.answer.sent]).toEqual([422, problems, typed]);
  expect(wrong.answer.toast).toEqual({ title: "Save Failed", text: "Invalid email", tone: "error" });
  const long = { bio: "b".repeat(1_000_000) };
  const { status, answer } = await save(ada, id, long);
  expect([status, answer.errors, answer.sent]).toEqual([422, { bio: "Use at most 5000 characters." }, long]);
  const nameless = await save(ada, id, { company: "Changed", display_name: " " });
  expect(nameless).toMatchObject({
    status: 422,
    answer: { errors: { display_name: "Enter your name." }, toast: { title: "Save Failed" } },
  });
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

async function open(person: Visitor, id: string): Promise<DialogCardResult> {
  return (await person.get(`/cards/${id}/details`)).json();
}

async function save(person: Visitor, id: string, change: Record<string, string>) {
  const response = await person.post(`/cards/${id}/details`, change);
  const answer: DetailsSaveResult = await response.json();
  return { status: response.status, answer };
}
