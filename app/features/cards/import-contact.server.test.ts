import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { contactFile } from "./contact-file.ts";
import { filledFrom } from "./import-answer.ts";
import { readContactFile } from "./import-contact.server.ts";
import { textOf } from "./card-text.ts";
import { newCard } from "./rules.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const lines = (...rows: string[]) => ["BEGIN:VCARD", ...rows, "END:VCARD", ""].join("\r\n");
const read = (...rows: string[]) => only(readContactFile(encode(lines(...rows))));

function only(answer: ReturnType<typeof readContactFile>) {
  if ("problem" in answer) throw new Error(answer.problem);
  expect(answer.contacts).toHaveLength(1);
  return answer.contacts[0] ?? expect.fail("no contact");
}

const iphone = lines(
  "VERSION:3.0",
  "PRODID:-//Apple Inc.//iPhone OS 19.0//EN",
  "N:Lovelace;Ada;;Dr.;PhD",
  "FN:Dr. Ada Lovelace PhD",
  "ORG:Analytical Engines\\, Ltd.;Research;",
  "TITLE:Mathematician",
  "EMAIL;type=INTERNET;type=HOME;type=pref:ada@home.example",
  "EMAIL;type=INTERNET;type=WORK:ada@engines.example",
  "TEL;type=CELL;type=VOICE;type=pref:+44 7700 900123",
  "TEL;type=WORK;type=VOICE:+44 20 7946 0018",
  "TEL;type=WORK;type=FAX:+44 20 7946 0019",
  "item1.ADR;type=WORK;type=pref:;;12 St James’s Square\\nFloor 2;London;;SW1Y 4JH;United Kingdom",
  "item1.X-ABADR:gb",
  "item2.URL;type=pref:https\\://engines.example/ada?a=1\\,2",
  "item2.X-ABLabel:_$!<HomePage>!$_",
  "item3.URL:https://notes.example",
  "item3.X-ABLabel:Notes & more",
  "X-SOCIALPROFILE;type=twitter;x-user=ada:http://twitter.com/ada",
  "NOTE:Likes poems",
  "BDAY:1815-12-10",
  `PHOTO;ENCODING=b;TYPE=JPEG:${"/9j/4AAQSkZJRgABAQ".repeat(40).replace(/(.{74})/g, "$1\r\n ")}`,
);

describe("a contact file becomes a card", () => {
  test("from an iPhone, with all that a card can hold, and what it can't is told", () => {
    const { text, left } = only(readContactFile(encode(iphone)));
    expect(text).toMatchObject({
      card_name: "Dr. Ada Lovelace PhD, Analytical Engines, Ltd.",
      prefix: "Dr.",
      suffix: "PhD",
      company: "Analytical Engines, Ltd.",
      department: "Research",
      profession: "Mathematician",
      email: "ada@engines.example",
      phone: "+44 20 7946 0018",
      street: "12 St James’s Square, Floor 2",
      city: "London",
      postcode: "SW1Y 4JH",
      country: "United Kingdom",
      website: "https://engines.example/ada?a=1,2",
    });
    expect(text.phones.map(({ kind, value }) => [kind, value])).toEqual([["mobile", "+44 7700 900123"]]);
    expect(text.emails.map(({ kind, value }) => [kind, value])).toEqual([["home", "ada@home.example"]]);
    expect(text.links.map(({ name, url }) => [name, url])).toEqual([
      ["Notes & more", "https://notes.example"],
      ["Twitter", "http://twitter.com/ada"],
    ]);
    expect(left.toSorted()).toEqual(["birthday", "fax number", "note", "photo"]);
  });

  test("from Google, in 3.0 with CATEGORIES and unlabelled groups", () => {
    const { text, left } = read(
      "VERSION:3.0",
      "FN:Grace Hopper",
      "N:Hopper;Grace;Brewster;;",
      "item1.EMAIL;TYPE=INTERNET:grace@navy.example",
      "item1.X-ABLabel:",
      "TEL;TYPE=CELL:+1 202-555-0143",
      "item2.ORG:US Navy",
      "item2.TITLE:Rear Admiral",
      "CATEGORIES:myContacts",
    );
    expect(text).toMatchObject({
      card_name: "Grace Hopper, US Navy",
      email: "grace@navy.example",
      phone: "+1 202-555-0143",
    });
    expect(text).toMatchObject({ company: "US Navy", profession: "Rear Admiral", position: "" });
    expect(left).toEqual(["categories"]);
  });

  test("from Outlook, in 2.1: bare kinds, quoted-printable over two lines, a charset of Windows", () => {
    const { text } = read(
      "VERSION:2.1",
      "N;LANGUAGE=de;CHARSET=windows-1252;ENCODING=QUOTED-PRINTABLE:M=FCller;J=F6rg",
      "ORG;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Stra=C3=9Fen=",
      "bau GmbH;Br=C3=BCcken",
      "TITLE:Ingenieur",
      "ROLE:Leiter",
      "TEL;WORK;VOICE:(030) 123 45",
      "TEL;CELL;VOICE:0171 1234567",
      "ADR;WORK;PREF;ENCODING=QUOTED-PRINTABLE:;;Hauptstr. 1=0D=0AHinterhaus;Berlin;;10115;Deutschland",
      "EMAIL;PREF;INTERNET:joerg@bau.example",
      "URL;WORK:www.bau.example",
    );
    expect(text).toMatchObject({
      card_name: "Jörg Müller, Straßenbau GmbH",
      company: "Straßenbau GmbH",
      department: "Brücken",
      profession: "Ingenieur",
      position: "Leiter",
      phone: "(030) 123 45",
      street: "Hauptstr. 1, Hinterhaus",
      website: "https://www.bau.example",
    });
    expect(text.phones.map(({ value }) => value)).toEqual(["0171 1234567"]);
  });

  test("in 4.0: addresses for phones, kinds in quotes, pronouns, folded lines", () => {
    const { text } = read(
      "VERSION:4.0",
      "FN:Sam Doe",
      'TEL;VALUE=uri;PREF=1;TYPE="voice,home":tel:+1-555-555-5555;ext=5555',
      "EMAIL;TYPE=work:sam@exam",
      " ple.com",
      "PRONOUNS:they/them",
      "URL:https://sam.example",
    );
    expect(text).toMatchObject({ phone: "+1-555-555-5555 ext. 5555", email: "sam@example.com", pronouns: "they/them" });
  });

  test("in Latin-1 and in UTF-16, with a mark of its order of bytes", () => {
    const latin = Uint8Array.from(lines("VERSION:3.0", "FN:Jörg").split(""), (sign) => sign.charCodeAt(0));
    expect(only(readContactFile(latin)).text.card_name).toBe("Jörg");
    const wide = new Uint8Array(Buffer.from(`\ufeff${lines("VERSION:3.0", "FN:山田 太郎")}`, "utf16le"));
    expect(only(readContactFile(wide)).text.card_name).toBe("山田 太郎");
    expect(only(readContactFile(encode(`\ufeff${lines("FN:Ada")}`))).text.card_name).toBe("Ada");
  });

  test("one of ours comes back as it was", () => {
    const file = contactFile({
      displayName: "Ada Lovelace",
      profession: "Mathematician",
      position: "Head of Research",
      company: "Analytical; Engines",
      department: "Numbers",
      email: "ada@example.com",
      phone: "+44 20 7946 0018",
      phones: [{ kind: "mobile", value: "+44 7700 900123" }],
      links: [{ name: "GitHub", url: "https://github.com/ada" }],
      cardUrl: "https://meishi.example/card/1",
      uid: "1",
      updatedAt: 1,
    });
    const { text } = only(readContactFile(encode(file)));
    expect(text).toMatchObject({ profession: "Mathematician", position: "Head of Research", department: "Numbers" });
    expect(text).toMatchObject({ company: "Analytical; Engines", email: "ada@example.com", phone: "+44 20 7946 0018" });
    expect(text.phones).toMatchObject([{ kind: "mobile", value: "+44 7700 900123" }]);
    expect(text.links.map(({ url }) => url)).toContain("https://github.com/ada");
  });

  test("of a file with several, the owner chooses; of a whole address book the first are shown", () => {
    const book = Array.from({ length: 300 }, (_, n) => lines("VERSION:3.0", `FN:Person ${n}`)).join("");
    const answer = readContactFile(encode(book));
    expect(answer).toMatchObject({ total: 300 });
    expect("contacts" in answer && answer.contacts.map(({ text }) => text.card_name)).toHaveLength(20);
  });

  test("a contact within a contact is not taken for it", () => {
    const { text } = read(
      "VERSION:2.1",
      "FN:Boss",
      "AGENT:",
      "BEGIN:VCARD",
      "FN:Assistant",
      "TEL:1",
      "END:VCARD",
      "TEL:2",
    );
    expect(text).toMatchObject({ card_name: "Boss", phone: "2" });
  });

  test("what the form would refuse is left out and told", () => {
    const { text, left } = read(
      "VERSION:3.0",
      "FN:Ada",
      "EMAIL:no address",
      `TEL:${"5".repeat(60)}`,
      "URL:javascript:alert(1)",
      "X-SOCIALPROFILE;type=facebook:x-apple:ada",
    );
    expect(text).toMatchObject({ card_name: "Ada", email: "", phone: "", website: "", links: [] });
    expect(left.toSorted()).toEqual([
      "e-mail address that a card can't hold",
      "phone number that a card can't hold",
      "social profile",
      "web address",
    ]);
  });
});

describe("the form that is filled in", () => {
  const typed = {
    ...textOf(newCard({ displayName: "Ada", links: [] })),
    position: "Countess",
    links: [link("a", "https://a.example")],
  };

  test("keeps what the contact is silent about, and puts its links behind", () => {
    const { text } = read(
      "VERSION:3.0",
      "FN:Ada L",
      "TITLE:Poet",
      "URL:https://x.example",
      "URL:https://a.example",
      "URL:https://b.example",
    );
    let ids = 0;
    const filled = filledFrom(typed, { text, left: [] }, () => `new-${(ids += 1)}`);
    expect(filled.text).toMatchObject({
      card_name: "Ada L",
      profession: "Poet",
      position: "Countess",
      website: "https://x.example",
      is_public: true,
    });
    expect(filled.text.links.map(({ id, url }) => [id, url])).toEqual([
      ["a", "https://a.example"],
      ["new-1", "https://b.example"],
    ]);
    expect(filled.isFull).toBe(false);
  });

  test("holds eight links at the most", () => {
    const own = Array.from({ length: 7 }, (_, n) => link(`o${n}`, `https://own${n}.example`));
    const { text } = read("FN:A", ...Array.from({ length: 5 }, (_, n) => `URL:https://n${n}.example`));
    const filled = filledFrom({ ...typed, links: own }, { text, left: [] }, () => "new");
    expect(filled.text.links).toHaveLength(8);
    expect(filled.isFull).toBe(true);
  });
});

function link(id: string, url: string) {
  return { id, name: id, url };
}

// Debian's own Python has it where python3-vobject is installed, whatever other Python comes first on the PATH.
const python = ["/usr/bin/python3", "python3"].find(
  (program) => existsSync(program) || spawnSync(program, ["-c", "import vobject"]).status === 0,
);
const hasVobject = python !== undefined && spawnSync(python, ["-c", "import vobject"]).status === 0;

test.skipIf(!hasVobject)("a contact that python3-vobject wrote is read with every field", () => {
  const script = `
import vobject, sys
card = vobject.vCard()
card.add('n').value = vobject.vcard.Name(family='Nguyễn; Văn', given='An, "Ann"')
card.add('fn').value = 'An Nguyễn, "Ann"'
card.add('org').value = ['Zürich & Söhne, AG', 'Forschung']
card.add('title').value = 'Chef; de, cuisine'
email = card.add('email'); email.value = 'an@example.com'; email.type_param = 'WORK'
tel = card.add('tel'); tel.value = '+41 44 555 01 02'; tel.type_param = 'CELL'
adr = card.add('adr'); adr.value = vobject.vcard.Address(street='Bahnhofstr. 1', city='Zürich', code='8001', country='CH')
card.add('url').value = 'https://example.com/' + 'a' * 100
card.add('note').value = 'x' * 300
sys.stdout.buffer.write(card.serialize().encode())`;
  const made = spawnSync(python ?? "", ["-c", script]);
  const { text } = only(readContactFile(new Uint8Array(made.stdout)));
  expect(text).toMatchObject({
    card_name: 'An Nguyễn, "Ann", Zürich & Söhne, AG',
    company: "Zürich & Söhne, AG",
    department: "Forschung",
    profession: "Chef; de, cuisine",
    email: "an@example.com",
    phone: "+41 44 555 01 02",
    street: "Bahnhofstr. 1",
    city: "Zürich",
    postcode: "8001",
    country: "CH",
    website: `https://example.com/${"a".repeat(100)}`,
  });
});
