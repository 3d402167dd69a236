import { spawnSync } from "node:child_process";

import ICAL from "ical.js";
import { expect, test } from "vitest";

import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const noon = Date.UTC(2026, 10, 23, 11);

async function open() {
  const app = await createTestApp({ clock: () => noon });
  const ada = await app.signedIn();
  const ownerId = await userIdOf(ada);
  const share = (id: string, columns = {}) =>
    app.services.db
      .insertInto("lead")
      .values({
        id,
        owner_id: ownerId,
        card_id: "card",
        created_at: noon,
        received_at: noon,
        expires_at: noon * 2,
        ...columns,
      })
      .execute();
  return { ...app, ada, share };
}

/** By Python's own csv module. */
function readCsv(text: string): Record<string, string>[] {
  const script =
    "import csv, io, json, sys\nprint(json.dumps(list(csv.DictReader(io.StringIO(sys.stdin.read(), newline='')))))";
  const { stdout, stderr } = spawnSync("python3", ["-c", script], {
    input: text,
    encoding: "utf8",
    env: { ...process.env, PYTHONIOENCODING: "utf-8" },
  });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

test("the table reads back in another program, and no cell is a formula", async () => {
  const { ada, share } = await open();
  const note = 'He said "hi",\nthen left; 名刺';
  await share("lead-1", { name: '=HYPERLINK("http://evil")', email: "grace@example.com", phone: "+1 555", note });
  await share("lead-2", { name: "@SUM(A1)", company: "\t=1", owner_note: "-1" });
  const response = await ada.get("/leads/export.csv");
  expect(response.headers.get("content-type")).toContain("text/csv");
  expect(response.headers.get("content-disposition")).toContain('attachment; filename="leads.csv"');
  const rows = readCsv((await response.text()).replace("\uFEFF", ""));
  expect(rows).toHaveLength(2);
  expect(rows[1]).toMatchObject({ Email: "grace@example.com", "Their note": note, Status: "New", Source: "Direct" });
  const cells = rows.flatMap((row) => Object.values(row));
  expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
});

test("the table has times that spreadsheets sort, in the owner's time zone", async () => {
  const { ada, share } = await open();
  await ada.post("/account/preferences", { mailsSignIns: "on", locale: "de-DE", timeZone: "Europe/Berlin" });
  await share("lead-1", { created_at: noon + 59_999 });
  const [row] = readCsv((await (await ada.get("/leads/export.csv")).text()).replace("\uFEFF", ""));
  expect(row).toMatchObject({ "Shared at (Europe/Berlin)": "2026-11-23 12:00" });
});

test("selected leads, and those of a filter, are exported alone and in order", async () => {
  const { ada, share, signedIn } = await open();
  for (const id of ["a", "b", "c"]) await share(id, { name: `Visitor ${id}`, source: id === "c" ? "qr" : "" });
  await share("gone", { withdrawn_at: noon });
  const names = async (query: string, visitor = ada) => {
    const text = await (await visitor.get(`/leads/export.csv${query}`)).text();
    return [...text.matchAll(/Visitor \w/g)].map(([name]) => name);
  };
  expect(await names("")).toEqual(["Visitor c", "Visitor b", "Visitor a"]);
  expect(await names("?id=a&id=c&tag=")).toEqual(["Visitor c", "Visitor a"]);
  expect(await names("?source=qr")).toEqual(["Visitor c"]);
  expect(await names("?id=a", await signedIn("eve@example.com"))).toEqual([]);
});

test("the links to the files say whether they have all leads or those of a search", async () => {
  const { ada, share } = await open();
  await share("lead-1", { name: "Grace" });
  await share("lead-2", { name: "Grace H", source: "qr" });
  expect(await (await ada.get("/leads")).text()).toContain("Export all as CSV");
  for (const query of ["?q=grace", "?source=qr"]) {
    const page = await (await ada.get(`/leads${query}`)).text();
    expect(page).toContain("Export results as CSV");
    expect(page).not.toContain("Export all");
  }
});

test("more leads than fit into one step are all exported once", async () => {
  const { ada, share } = await open();
  for (let n = 0; n < 1_001; n++) await share(`lead-${n}`, { name: `Visitor ${n}` });
  const rows = readCsv((await (await ada.get("/leads/export.csv")).text()).replace("\uFEFF", ""));
  expect(new Set(rows.map((row) => row["Name"])).size).toBe(1_001);
  expect(rows).toHaveLength(1_001);
});

test("contact files of one and of all leads are read by ical.js", async () => {
  const { ada, share, signedIn } = await open();
  await share("lead-1", {
    name: "Grace, Hopper",
    email: "grace@example.com",
    phone: "+1 555",
    company: "Navy",
    note: "a\nb",
  });
  await share("lead-2", { email: "eda@example.com" });
  await share("gone", { withdrawn_at: noon });
  const text = await (await ada.get("/leads/contacts.vcf")).text();
  const cards = text.split(/(?=BEGIN:VCARD)/).map((one) => new ICAL.Component(ICAL.parse(one)));
  expect(cards.map((card) => card.getFirstPropertyValue("fn"))).toEqual(["eda@example.com", "Grace, Hopper"]);
  const one = await ada.get("/leads/lead-1/contact.vcf");
  expect(one.headers.get("content-type")).toContain("text/vcard");
  const card = new ICAL.Component(ICAL.parse(await one.text()));
  const values = ["fn", "email", "tel", "note"].map((name) => card.getFirstPropertyValue(name));
  expect(values).toEqual(["Grace, Hopper", "grace@example.com", "+1 555", "a\nb"]);
  const eve = await signedIn("eve@example.com");
  const refused = [await eve.get("/leads/lead-1/contact.vcf"), await ada.get("/leads/gone/contact.vcf")];
  expect(refused.map(({ status }) => status)).toEqual([404, 404]);
});
