import { describe, expect, test } from "vitest";

import { formatVCard } from "#app/features/cards/vcard/vcard.ts";
import { fillForm } from "./import-result.ts";
import { readContactFile } from "./vcard-import.server.ts";
import { toFormValues } from "#app/features/cards/card-form.ts";
import { newCard } from "#app/features/cards/rules.ts";

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

describe("importing a contact file", () => {
  test("imports from an iPhone and reports what was left out", () => {
    const { values, leftOut } = only(readContactFile(encode(iphone)));
    expect(values).toMatchObject({
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
    expect(values).toMatchObject({
      phones: [{ kind: "mobile", value: "+44 7700 900123" }],
      emails: [{ kind: "home", value: "ada@home.example" }],
      links: [
        { name: "Notes & more", url: "https://notes.example" },
        { name: "Twitter", url: "http://twitter.com/ada" },
      ],
    });
    expect(leftOut.toSorted()).toEqual(["birthday", "fax number", "note", "photo"]);
  });

  test("imports from Google: 3.0 with CATEGORIES and unlabeled groups", () => {
    const names = ["FN:Grace Hopper", "N:Hopper;Grace;Brewster;;", "item2.ORG:US Navy", "item2.TITLE:Rear Admiral"];
    const email = ["item1.EMAIL;TYPE=INTERNET:grace@navy.example", "item1.X-ABLabel:"];
    const { values, leftOut } = read("VERSION:3.0", ...names, ...email, "CATEGORIES:myContacts");
    expect(values).toMatchObject({ card_name: "Grace Hopper, US Navy", email: "grace@navy.example" });
    expect(values).toMatchObject({ company: "US Navy", profession: "Rear Admiral", position: "" });
    expect(leftOut).toEqual(["categories"]);
  });

  test("imports from Outlook: 2.1 with bare types, quoted-printable over two lines and a Windows charset", () => {
    const { values } = read(
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
    expect(values).toMatchObject({
      card_name: "Jörg Müller, Straßenbau GmbH",
      company: "Straßenbau GmbH",
      department: "Brücken",
      profession: "Ingenieur",
      position: "Leiter",
      phone: "(030) 123 45",
      street: "Hauptstr. 1, Hinterhaus",
      website: "https://www.bau.example",
    });
    expect(values.phones.map(({ value }) => value)).toEqual(["0171 1234567"]);
  });

  test("imports 4.0: tel URIs, quoted types, pronouns and folded lines", () => {
    const tel = 'TEL;VALUE=uri;PREF=1;TYPE="voice,home":tel:+1-555-555-5555;ext=5555';
    const rows = ["VERSION:4.0", "FN:Sam Doe", tel, "EMAIL;TYPE=work:sam@exam", " ple.com", "PRONOUNS:they/them"];
    const contact = { phone: "+1-555-555-5555 ext. 5555", email: "sam@example.com", pronouns: "they/them" };
    expect(read(...rows).values).toMatchObject(contact);
  });

  test("imports Latin-1 and UTF-16 with a byte order mark", () => {
    const latin = Uint8Array.from(lines("VERSION:3.0", "FN:Jörg").split(""), (sign) => sign.charCodeAt(0));
    expect(only(readContactFile(latin)).values.card_name).toBe("Jörg");
    const wide = new Uint8Array(Buffer.from(`\ufeff${lines("VERSION:3.0", "FN:山田 太郎")}`, "utf16le"));
    expect(only(readContactFile(wide)).values.card_name).toBe("山田 太郎");
    expect(only(readContactFile(encode(`\ufeff${lines("FN:Ada")}`))).values.card_name).toBe("Ada");
  });

  test("imports our own contact files without loss", () => {
    const same = { profession: "Mathematician", position: "Head of Research", company: "Analytical; Engines" };
    const more = { department: "Numbers", email: "ada@example.com", phone: "+44 20 7946 0018" };
    const phones = [{ kind: "mobile", value: "+44 7700 900123" }] as const;
    const links = [{ name: "GitHub", url: "https://github.com/ada" }];
    const page = { displayName: "Ada Lovelace", cardUrl: "https://meishi.example/card/1", uid: "1", updatedAt: 1 };
    const { values } = only(readContactFile(encode(formatVCard({ ...same, ...more, ...page, phones, links }))));
    expect(values).toMatchObject({ ...same, ...more, phones });
    expect(values.links.map(({ url }) => url)).toContain("https://github.com/ada");
  });

  test("reads the type behind a dot, as in TEL.WORK", () => {
    const rows = ["TEL.CELL:1", "PHONE.WORK:2", "item1.EMAIL.HOME:h@a.example", "WORK.EMAIL;INTERNET:w@a.example"];
    const { values, leftOut } = read("VERSION:4.0", "FN:Otto", ...rows);
    expect(values).toMatchObject({ phone: "2", phones: [{ kind: "mobile", value: "1" }] });
    expect(values).toMatchObject({ email: "w@a.example", emails: [{ kind: "home", value: "h@a.example" }] });
    expect(leftOut).toEqual([]);
  });

  test("imports the labels of Apple and Google: a fax is no phone, Home comes last, a labeled address is a link", () => {
    const labeled = (...rows: [property: string, label: string][]) =>
      rows.flatMap(([property, label], at) => [`item${at}.${property}`, `item${at}.X-ABLabel:${label}`]);
    const { values, leftOut } = read(
      "VERSION:3.0",
      "FN:Mika",
      ...labeled(
        ["TEL;type=pref:1", "Work Fax"],
        ["TEL:2", "_$!<HomeFAX>!$_"],
        ["TEL;type=pref:3", "_$!<Home>!$_"],
        ["TEL:4", "Mobile"],
        ["TEL:5", "Grand Central"],
        ["EMAIL;type=pref:Mika Ito <h@a.example>", "_$!<Home>!$_"],
        ["EMAIL:o@a.example", "Office"],
        [String.raw`URL:https\://www.linkedin.com/in/mika`, "LinkedIn profile"],
        ["URL:https://mika.example", "_$!<HomePage>!$_"],
      ),
    );
    expect(values).toMatchObject({ phone: "4", email: "o@a.example", website: "https://mika.example" });
    expect(values).toMatchObject({
      phones: [
        { kind: "home", value: "3" },
        { kind: "work", value: "5" },
      ],
      emails: [{ kind: "home", value: "h@a.example" }],
      links: [{ name: "LinkedIn profile", url: "https://www.linkedin.com/in/mika" }],
    });
    expect(leftOut).toEqual(["fax number (2)"]);
  });

  test("offers several contacts to choose from, the first ones of a whole address book", () => {
    const book = Array.from({ length: 300 }, (_, n) => lines("VERSION:3.0", `FN:Person ${n}`)).join("");
    const answer = readContactFile(encode(book));
    expect(answer).toMatchObject({ total: 300 });
    expect("contacts" in answer && answer.contacts.map(({ values }) => values.card_name)).toHaveLength(20);
  });

  test("skips a contact within a contact", () => {
    const agent = ["AGENT:", "BEGIN:VCARD", "FN:Assistant", "TEL:1", "END:VCARD"];
    expect(read("VERSION:2.1", "FN:Boss", ...agent, "TEL:2").values).toMatchObject({ card_name: "Boss", phone: "2" });
  });

  test("leaves out and reports what the form would reject", () => {
    const rejected = ["EMAIL:no address", `TEL:${"5".repeat(60)}`, "URL:javascript:alert(1)"];
    const commas = Array<string>(10).fill(`ADR:${",".repeat(4_900)}`);
    const social = "X-SOCIALPROFILE;type=facebook:x-apple:ada";
    const { values, leftOut } = read("VERSION:3.0", "FN:Ada", ...rejected, ...commas, social);
    expect(values).toMatchObject({ card_name: "Ada", email: "", phone: "", website: "", links: [] });
    expect(leftOut.toSorted()).toEqual([
      expect.stringContaining("address"),
      "email address (invalid or too long)",
      "phone number (invalid or too long)",
      "social profile",
      "web address",
    ]);
  });
});

describe("filling in the form", () => {
  const empty = toFormValues(newCard({ displayName: "Ada", links: [] }));
  const typed = { ...empty, position: "Countess", links: [link("a", "https://a.example")] };

  test("keeps the card's design, fields that the contact leaves empty, and the links before the contact's", () => {
    const design = { accent: "own", accent_color: "#123456", layout: "cover", paper: "dark" };
    const urls = ["https://x.example", "https://a.example", "https://b.example"].map((url) => `URL:${url}`);
    const contact = read("VERSION:3.0", "FN:Ada L", "TITLE:Poet", ...urls);
    let ids = 0;
    const filled = fillForm({ ...typed, ...design }, contact, { newId: () => `new-${(ids += 1)}`, maxLinks: 8 });
    expect(filled.values).toMatchObject({ ...design, card_name: "Ada L", profession: "Poet", position: "Countess" });
    expect(filled.values).toMatchObject({ website: "https://x.example", is_public: true });
    const links = [link("a", "https://a.example"), { id: "new-1", url: "https://b.example" }];
    expect(filled.values.links).toMatchObject(links);
    expect(filled.isFull).toBe(false);
  });

  test("accepts as many links as the plan includes", () => {
    const own = Array.from({ length: 7 }, (_, n) => link(`o${n}`, `https://own${n}.example`));
    const { values } = read("FN:A", ...Array.from({ length: 5 }, (_, n) => `URL:https://n${n}.example`));
    const filled = fillForm({ ...typed, links: own }, { values, leftOut: [] }, { newId: () => "new", maxLinks: 8 });
    expect(filled.values.links).toHaveLength(8);
    expect(filled.isFull).toBe(true);
  });
});

function link(id: string, url: string) {
  return { id, name: id, url };
}
