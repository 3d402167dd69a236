import { describe, expect, test } from "vitest";

import { cardFields as fields, makeCard, fieldValue } from "#tests/support/app/cards.ts";
import { processorTime } from "#tests/support/measurements.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

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

describe("the optional fields of a card", () => {
  test("are on its page and in its contact file as soon as they are filled in", async () => {
    const { signedIn, visitor } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada, more);
    const page = await (await visitor().get(`/card/${id}`)).text();
    const file = unfolded(await (await visitor().get(`/card/${id}/contact.vcf`)).text());
    for (const content of [
      "Dr. ada, PhD",
      "she/her",
      "Department of Numbers",
      "tel:+447700900123",
      "ada@home.example",
    ]) {
      expect(page).toContain(content);
    }
    expect(page).toContain('href="https://engines.example/research"');
    expect(page).toContain("London, SW1Y 4JH");
    for (const line of [
      "N:;ada;;Dr.;PhD",
      "ORG:Analytical Engines;Department of Numbers",
      "TEL;TYPE=CELL,VOICE:+44 7700 900123",
      "EMAIL;TYPE=INTERNET,HOME:ada@home.example",
      "URL:https://engines.example/research",
      "ADR;TYPE=WORK:;;12 St James's Sq;London;;SW1Y 4JH;United Kingdom",
      String.raw`NOTE:12 years of experience\nPronouns: she/her`,
    ]) {
      expect(file).toContain(`${line}\r\n`);
    }
  });

  test("are hidden from the page or the contact file, field by field", async () => {
    const { signedIn, visitor } = await createTestApp();
    const ada = await signedIn();
    const fileOnly = {
      "shown.email": "file",
      "phones.0.shown": "file",
      "shown.address": "file",
      "shown.pronouns": "file",
    };
    const pageOnly = {
      "shown.phone": "page",
      "emails.0.shown": "page",
      "shown.website": "page",
      "shown.suffix": "page",
    };
    const id = await makeCard(ada, { ...more, ...fileOnly, ...pageOnly });
    const page = await (await visitor().get(`/card/${id}`)).text();
    const file = unfolded(await (await visitor().get(`/card/${id}/contact.vcf`)).text());
    const hiddenOnPage = ["ada@example.com", "900123", "St James", "London", "she/her"];
    const hiddenInFile = ["7946 0000", "ada@home.example", "engines.example", "PhD"];
    for (const content of hiddenOnPage) {
      expect(page).not.toContain(content);
      expect(file).toContain(content);
    }
    for (const content of hiddenInFile) {
      expect(file).not.toContain(content);
      expect(page).toContain(content);
    }
  });

  test("are in a section that is closed while they are empty, and sent with the form", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    const fresh = await (await ada.get("/cards/edit")).text();
    expect(section(fresh)).toMatch(/<details class/);
    for (const name of ["prefix", "website", "street", "shown.email", "shown.address"]) {
      expect(fresh).toContain(`name="${name}"`);
    }
    // Without script no button can add a row, so there is one of each.
    expect(/<noscript>.*name="phones.0.value".*<\/noscript>/s.test(section(fresh))).toBe(true);
    const editor = await (await ada.get(`/cards/edit/${await makeCard(ada, more)}`)).text();
    expect(section(editor)).toMatch(/<details open/);
    expect(fieldValue(editor, "phones.0.value")).toBe("+44 7700 900123");
    expect(fieldValue(editor, "website")).toBe("https://engines.example/research");
  });

  test("keep what was typed and chosen, and open when one has an error", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    const typed = { ...more, "emails.0.value": "ada@", website: "not an address", "phones.0.shown": "file" };
    const answer = await ada.post("/cards/edit", { ...fields, ...typed });
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(section(page)).toMatch(/<details open/);
    for (const content of ["Invalid email", "Invalid URL"]) expect(section(page)).toContain(content);
    expect(fieldValue(page, "emails.0.value")).toBe("ada@");
    expect(fieldValue(page, "street")).toBe("12 St James&#x27;s Sq");
    expect(chosen(page, "phones.0.shown")).toBe("file");
    expect(chosen(page, "phones.0.kind")).toBe("mobile");
  });

  test("show a conflict between two tabs, including their visibility", async () => {
    const { signedIn } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    await ada.post(`/cards/edit/${id}`, { ...fields, ...more, "shown.phone": "page", version: "1" });
    const later = await ada.post(`/cards/edit/${id}`, { ...fields, pronouns: "they/them", version: "1" });
    expect(later.status).toBe(409);
    const page = await later.text();
    for (const content of ["Phone visibility", "Page only", "Mobile: +44 7700 900123", "they/them", "she/her"]) {
      expect(page).toContain(content);
    }
  });

  test("stay when the card dialog changes another field", async () => {
    const { signedIn, visitor } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada, { ...more, "shown.email": "file" });
    await ada.post(`/cards/${id}/details`, { company: "Changed" });
    const page = await (await visitor().get(`/card/${id}`)).text();
    for (const content of ["Changed", "she/her", "900123"]) expect(page).toContain(content);
    expect(page).not.toContain("ada@example.com");
    const dialog = await (await ada.get(`/cards/${id}/details`)).json();
    expect(dialog).toMatchObject({ values: { email: "ada@example.com" }, view: { email: null, pronouns: "she/her" } });
  });
});

test("saves or rejects any content of the optional fields, with a complete page", async () => {
  const { signedIn } = await createTestApp();
  const ada = await signedIn();
  const id = await makeCard(ada);
  const odd = [
    "\u0000",
    "\ud800",
    "\u202eada",
    "a".repeat(1_000_000),
    "\u0316\u0301".repeat(100_000),
    "<script>x</script>",
  ];
  const names = ["phones.0.value", "phones.99.kind", "emails.0.shown", "shown.email", "website", "street", "prefix"];
  const { seconds } = await processorTime(async () => {
    for (const value of odd) {
      for (const name of names) {
        const answer = await ada.post(`/cards/edit/${id}`, { ...fields, "phones.99.value": "1", [name]: value });
        expect([302, 409, 422], `${name}: ${value.slice(0, 10)}`).toContain(answer.status);
        expect(await answer.text()).not.toContain("<script>x");
      }
    }
  });
  expect(seconds).toBeLessThan(20);
});

describe("a card's page", () => {
  test("gives chats a new image URL after each change", async () => {
    const { signedIn, visitor } = await createTestApp();
    const ada = await signedIn();
    const id = await makeCard(ada);
    const address = async () => {
      const page = await (await visitor().get(`/card/${id}`)).text();
      expect(page).toContain('<meta name="twitter:card" content="summary_large_image"/>');
      expect(page).toContain('<meta property="og:image:width" content="1200"/>');
      return /<meta property="og:image" content="([^"]*)"/.exec(page)?.[1] ?? "";
    };
    const before = await address();
    expect(before).toMatch(/^http:\/\/localhost:3000\/c\/\w{7}\/preview\.png\?v=[\da-z]+$/);
    await ada.post(`/cards/${id}/details`, { display_name: "Countess" });
    expect(await address()).not.toBe(before);
  });
});

/** The unfolded lines of a contact file. */
function unfolded(file: string): string {
  return file.replaceAll("\r\n ", "");
}

function section(page: string): string {
  return /<section aria-labelledby="more-title".*?<\/section>/s.exec(page)?.[0] ?? "";
}

/** The selected option. */
function chosen(page: string, name: string): string {
  const select = new RegExp(`<select[^>]*name="${name}".*?</select>`, "s").exec(page)?.[0] ?? "";
  return /<option value="([^"]*)" selected/.exec(select)?.[1] ?? "";
}
