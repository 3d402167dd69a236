import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { readCard } from "./card-rules.ts";
import type { CardLine } from "./card-text.ts";

/** Lines of a card, with the height of their letters where it matters: "60|Ada Lovelace". */
function card(...texts: string[]): CardLine[] {
  return texts.map((marked) => {
    const [, height = "30", text = ""] = /^(?:(\d+)\|)?(.*)$/.exec(marked) ?? [];
    return line(text, Number(height), 95);
  });
}

function line(text: string, height: number, confidence: number): CardLine {
  return { text, height, confidence, words: text.split(" ").map((word) => ({ text: word, confidence })) };
}

const valuesOf = (lines: CardLine[]) => {
  const { name, title, email, phone, company, website, note } = readCard(lines).fields;
  return {
    name: name.value,
    title: title.value,
    email: email.value,
    phone: phone.value,
    company: company.value,
    website: website.value,
    note: note.value,
  };
};

test("a card's lines become its fields, and the others are offered", () => {
  const lines = card(
    "45|Helios Optik GmbH",
    "60|Dr. Sabine von Berg",
    "Leiterin Vertrieb",
    "Tel. +49 30 23125 110",
    "Fax +49 30 23125 430",
    "s.vonberg@helios.example",
    "www.helios.example",
    "Lindenallee 7",
    "10115 Berlin",
    "Seeing is believing",
  );
  expect(valuesOf(lines)).toEqual({
    name: "Dr. Sabine von Berg",
    email: "s.vonberg@helios.example",
    phone: "+49 30 23125 110",
    title: "Leiterin Vertrieb",
    company: "Helios Optik GmbH",
    website: "www.helios.example",
    note: "Lindenallee 7\n10115 Berlin",
  });
  expect(readCard(lines).rest).toEqual(["Fax +49 30 23125 430", "Seeing is believing"]);
});

test("what stands beside a website, and a second title, become the note", () => {
  const { title, website, note } = valuesOf(
    card("60|Ada Lovelace", "Head of Sales", "Managing Director", "12 Main St | www.example.com", "ada@example.com"),
  );
  expect([title, website]).toEqual(["Head of Sales", "www.example.com"]);
  expect(note).toBe("Managing Director\n12 Main St | www.example.com");
});

describe("an email address", () => {
  test.each([
    ["grace (at) example.com", "grace@example.com"],
    ["grace©example.com", "grace@example.com"],
    ["grace. hopper@example.com", "grace.hopper@example.com"],
    ["grace@example,com", "grace@example.com"],
    ["grace @ example . com", "grace@example.com"],
    ["E-mail: Grace@Example.COM", "grace@example.com"],
    ["grace@example.com www.example.com", "grace@example.com"],
    ["grace+fair@mail.example.co.uk", "grace+fair@mail.example.co.uk"],
    ["Kk.grace@example.com", "k.grace@example.com"],
  ])("%s is read as %s", (text, email) => {
    expect(valuesOf(card(text)).email).toBe(email);
  });

  test.each([
    ["marta.lindgvist@example.com", "Marta Lindqvist", false],
    ["marta.lindqvist@example.com", "Marta Lindqvist", true],
    ["sabine.muller@example.com", "Sabine Müller", true],
    ["info@example.com", "Marta Lindqvist", true],
  ])("%s of %s is sure: %s", (email, name, isSure) => {
    expect(readCard(card(`60|${name}`, email)).fields).toMatchObject({ name: { value: name }, email: { isSure } });
  });

  test("takes a lost dot from the card's website", () => {
    expect(valuesOf(card("grace@heliosexample", "www.helios.example")).email).toBe("grace@helios.example");
  });

  test("isn't seen in other text", () => {
    for (const text of ["grace at example", "@example.com", "grace@", "grace@example", "© 2026 Example.com"])
      expect(valuesOf(card(text)).email, text).toBe("");
  });

  test("that was read with doubt, or whose dot was read as a space, isn't sure", () => {
    const emailIn = (text: string, confidence: number) => readCard([line(text, 30, confidence)]).fields.email;
    expect(emailIn("grace@example.com", 62)).toMatchObject({ isSure: false, confidence: 62 });
    expect(emailIn("grace@example.com", 93)).toMatchObject({ isSure: true });
    const completed = { value: "grace.hopper@example.com", isSure: false };
    expect(emailIn("grace hopper@example.com", 95)).toMatchObject(completed);
  });
});

describe("a phone number", () => {
  test.each([
    ["+1 (212) 555-0142", "+1 (212) 555-0142"],
    ["Tel.: 030 / 23125-110", "030 / 23125-110"],
    ["+49 (0)30 23125 110", "+49 (0)30 23125 110"],
    ["0049 30 23125 110", "0049 30 23125 110"],
    ["Phone +33 6 39 98 17 51 Fax +33 6 39 98 97 43", "+33 6 39 98 17 51"],
    ["F +1 212 555 0100 M +1 212 555 0101", "+1 212 555 0101"],
    ["M +1 212 555 0101 grace@example.com", "+1 212 555 0101"],
    ["+49 3O 23l25 110", "+49 30 23125 110"],
  ])("in %s is %s", (text, phone) => {
    expect(valuesOf(card(text)).phone).toBe(phone);
  });

  test("of a mobile is preferred, and of a fax never proposed", () => {
    expect(valuesOf(card("Fax 030 23125 1", "T 030 23125 2", "Mobil 0171 39200 55")).phone).toBe("0171 39200 55");
    expect(valuesOf(card("Telefax: +49 30 23125 430")).phone).toBe("");
  });

  test("isn't seen in other text, and isn't sure with letters for digits", () => {
    for (const text of ["10115 Berlin", "28.11.2026", "VAT DE 12", "12 Harbor Street", "00-876 Warszawa", "2026-11-23"])
      expect(valuesOf(card(text)).phone, text).toBe("");
    expect(readCard(card("+49 3O 23125 110")).fields.phone.isSure).toBe(false);
  });
});

test.each([
  [["60|MARIA VON DER HEIDE"], "Maria von der Heide"],
  [["60|SEÁN O'BRIEN-SMITH"], "Seán O'Brien-Smith"],
  [["60|Dr. Helen McDonald"], "Dr. Helen McDonald"],
  [["| Grace Hopper |"], "Grace Hopper"],
  [["80|ACME", "40|Grace Hopper", "grace.hopper@example.com"], "Grace Hopper"],
  [["60|Head of Sales", "40|Grace Hopper"], "Grace Hopper"],
  [["60|Northlight Ltd", "40|Grace Hopper"], "Grace Hopper"],
  [["Lindenallee", "New York, NY 10001"], ""],
])("a name in %j is %s", (lines, name) => {
  expect(valuesOf(card(...lines)).name).toBe(name);
});

test("a name with a digit for a letter is proposed, but not sure", () => {
  const name = { value: "Anna Wei3bach", isSure: false };
  expect(readCard(card("60|Anna Wei3bach", "Lindenallee")).fields.name).toMatchObject(name);
});

test.each([
  [["Arbor Sp. z 0.0."], "Arbor Sp. z o.o."],
  [["Baltic Freight GmbH & Co. KG"], "Baltic Freight GmbH & Co. KG"],
  [["Analytical Engines", "ada@analytical.example"], "Analytical Engines"],
  [["Helios S.A.", "Grace Hopper"], "Helios S.A."],
  [["Grace Hopper"], ""],
])("a company in %j is %s", (lines, company) => {
  expect(valuesOf(card(...lines)).company).toBe(company);
});

test("no line, however odd, breaks reading or brings characters that aren't on the card", () => {
  const odd = fc.string({ unit: fc.constantFrom(..."aZé@.,:+-()0159 ©|/'ß\\$^*[]w"), maxLength: 40 });
  fc.assert(
    fc.property(fc.array(odd, { maxLength: 8 }), (texts) => {
      const all = texts.join(" ").toLowerCase();
      // What a reader takes for a digit, a dot or an "@" may be replaced by it.
      const known = new Set(`${all}@.01-o`);
      const { fields } = readCard(texts.map((text) => line(text, 30, 90)));
      for (const { value } of Object.values(fields))
        expect([...value.toLowerCase()].filter((letter) => letter !== "\n" && !known.has(letter))).toEqual([]);
    }),
  );
});
