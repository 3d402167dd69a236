import { expect, test } from "vitest";

import { linkedInMessages } from "#app/features/linkedin/export-file.server.ts";
import { zip } from "#tests/support/fixtures/binary-files.ts";

import { readImportedFile } from "./linkedin-import.server.ts";

const columns = ["First Name", "Last Name", "Headline", "Summary", "Address", "Zip Code", "Geo Location", "Websites"];
const quoted = (cells: string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",");

/** Profile.csv with these cells, and the other files. */
function read(cells: Partial<Record<string, string>>, files: Record<string, string> = {}) {
  const profile = [columns, columns.map((name) => cells[name] ?? "")].map(quoted).join("\r\n");
  const entries = Object.entries({ "Profile.csv": profile, ...files });
  return readImportedFile(zip(entries.map(([name, content]) => ({ name, content }))));
}

const ada = { "First Name": "Ada", "Last Name": "Lovelace" };

test("LinkedIn data fills in a card, and what a card has no field for is named", async () => {
  const files = {
    "Positions.csv": "Company Name,Title,Description,Location,Started On,Finished On\nEngines,Analyst,,,Jan 2020,\n",
    "Email Addresses.csv": "Email Address,Confirmed,Primary,Updated On\nada@a.example,Yes,Yes,\n",
    "PhoneNumbers.csv": "Extension,Number,Type\n,+44 20 1,Mobile\n",
  };
  const profile = {
    ...ada,
    Headline: "I write notes",
    Summary: "Notes.",
    Address: "Bahnhofstr. 1",
    "Zip Code": "8001",
    "Geo Location": "Zürich, Switzerland",
    Websites: "[PORTFOLIO:https://ada.example,COMPANY:engines.example]",
  };
  const values = {
    card_name: "Ada Lovelace, Engines",
    company: "Engines",
    profession: "Analyst",
    email: "ada@a.example",
    phone: "+44 20 1",
    street: "Bahnhofstr. 1",
    city: "Zürich",
    region: "",
    postcode: "8001",
    country: "Switzerland",
    website: "https://engines.example",
    links: [{ name: "Portfolio", url: "https://ada.example" }],
    phones: [],
    emails: [],
  };
  const contact = { values, leftOut: ["headline", "summary"] };
  expect(await read(profile, files)).toMatchObject({ contacts: [contact], total: 1 });
});

test.each([
  ["Austin, Texas, United States", { city: "Austin", region: "Texas", country: "United States" }],
  ["Austin, TX", { city: "Austin", region: "TX", country: "" }],
  ["Greater Chicago Area", { city: "Greater Chicago Area", region: "", country: "" }],
])("the location %s fills in the address", async (location, values) => {
  expect(await read({ ...ada, "Geo Location": location })).toMatchObject({ contacts: [{ values }] });
});

test("without a current position, the headline is the title, as far as it fits", async () => {
  const values = { card_name: "Ada Lovelace", profession: `${"x".repeat(99)}…`, company: "" };
  expect(await read({ ...ada, Headline: "x".repeat(220) })).toMatchObject({ contacts: [{ values, leftOut: [] }] });
});

test("what the form would refuse is left out and named", async () => {
  const files = { "Email Addresses.csv": "Email Address,Confirmed,Primary,Updated On\nnone,Yes,Yes,\n" };
  const websites = "[COMPANY:javascript:alert(1.0),OTHER:https://a.example]";
  const contact = {
    values: { email: "", website: "https://a.example", links: [] },
    leftOut: ["web address", "email address (invalid or too long)"],
  };
  expect(await read({ ...ada, Websites: websites }, files)).toMatchObject({ contacts: [contact] });
});

test("Profile.csv without details is refused, and a contact file is read as before", async () => {
  expect(await read({})).toEqual({ problem: linkedInMessages.empty });
  const contact = Buffer.from("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nEND:VCARD\r\n");
  expect(await readImportedFile(contact)).toMatchObject({ contacts: [{ values: { card_name: "Ada" } }] });
});
