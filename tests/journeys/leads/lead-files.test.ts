import { spawnSync } from "node:child_process";

import ICAL from "ical.js";
import { expect, test } from "vitest";

import { noon, openOwner } from "#tests/journeys/leads/lead-owner.ts";

async function open() {
  const owner = await openOwner();
  /** The rows of the exported table, by Python's own csv module. */
  const readRows = async (query = ""): Promise<Record<string, string>[]> => {
    const script =
      "import csv, io, json, sys\nprint(json.dumps(list(csv.DictReader(io.StringIO(sys.stdin.read(), newline='')))))";
    const input = (await owner.read(`/leads/export.csv${query}`)).replace("\uFEFF", "");
    const env = { ...process.env, PYTHONIOENCODING: "utf-8" };
    const { stdout, stderr } = spawnSync("python3", ["-c", script], { input, encoding: "utf8", env });
    expect(stderr).toBe("");
    return JSON.parse(stdout);
  };
  return { ...owner, readRows };
}

test("the table reads back in another program, in the owner's time zone, and no cell is a formula", async () => {
  const { ada, share, readRows } = await open();
  await ada.post("/account/preferences", { mailsSignIns: "on", locale: "de-DE", timeZone: "Europe/Berlin" });
  const note = 'He said "hi",\nthen left; 名刺';
  await share({ name: '=HYPERLINK("http://evil")', email: "grace@example.com", phone: "+1 555", note });
  await share({ name: "@SUM(A1)", company: "\t=1", owner_note: "-1", created_at: noon + 59_999 });
  const { headers } = await ada.get("/leads/export.csv");
  expect(headers.get("content-type")).toContain("text/csv");
  expect(headers.get("content-disposition")).toContain('attachment; filename="leads.csv"');
  const rows = await readRows();
  expect(rows).toHaveLength(2);
  // Times that spreadsheets sort.
  expect(rows[0]).toMatchObject({ "Shared at (Europe/Berlin)": "2026-11-23 12:00" });
  expect(rows[1]).toMatchObject({ Email: "grace@example.com", "Their note": note, Status: "New", Source: "Direct" });
  const cells = rows.flatMap((row) => Object.values(row));
  expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
});

test("selected leads, and those of a filter, are exported alone and in order, as the links say", async () => {
  const { share, signedIn, read } = await open();
  for (const id of ["a", "b", "c"]) await share({ id, source: id === "c" ? "qr" : "" });
  await share({ withdrawn_at: noon });
  await share({ deleted_at: noon });
  const names = async (query: string, owner?: Awaited<ReturnType<typeof signedIn>>) =>
    [...(await read(`/leads/export.csv${query}`, owner)).matchAll(/Guest \w/g)].map(([name]) => name);
  expect(await names("")).toEqual(["Guest c", "Guest b", "Guest a"]);
  expect(await names("?id=a&id=c&tag=")).toEqual(["Guest c", "Guest a"]);
  expect(await names("?source=qr")).toEqual(["Guest c"]);
  expect(await names("?q=guest%20B")).toEqual(["Guest b"]);
  expect(await names("?id=a", await signedIn("eve@example.com"))).toEqual([]);
  const page = await read("/leads");
  for (const text of ["Export CSV", "Export contacts (vCard)", 'href="/leads/export.csv"'])
    expect(page).toContain(text);
  for (const query of ["?q=guest", "?source=qr"]) {
    const found = await read(`/leads${query}`);
    for (const text of ["Export results", `href="/leads/export.csv${query}"`]) expect(found).toContain(text);
    expect(found).not.toContain("Export CSV");
  }
});

test("more leads than fit into one step are all exported once", async () => {
  const { shareMany, readRows } = await open();
  await shareMany(Array.from({ length: 1_001 }, (_, n) => ({ name: `Visitor ${n}` })));
  const rows = await readRows();
  expect(new Set(rows.map((row) => row["Name"])).size).toBe(1_001);
  expect(rows).toHaveLength(1_001);
});

test("contact files of one and of all leads are read by ical.js", async () => {
  const { ada, share, signedIn, read } = await open();
  const grace = { name: "Grace, Hopper", email: "grace@example.com", phone: "+1 555", company: "Navy", note: "a\nb" };
  await share({ id: "grace", ...grace });
  await share({ name: "", email: "eda@example.com" });
  await share({ name: "Dr. Robert Example Jr." });
  await share({ id: "gone", withdrawn_at: noon });
  const cards = (await read("/leads/contacts.vcf"))
    .split(/(?=BEGIN:VCARD)/)
    .map((one) => new ICAL.Component(ICAL.parse(one)));
  expect(cards.map((card) => card.getFirstPropertyValue("fn"))).toEqual([
    "Dr. Robert Example Jr.",
    "eda@example.com",
    "Grace, Hopper",
  ]);
  expect(cards[0]?.getFirstPropertyValue("n")).toEqual(["Example", "Robert", "", "Dr.", "Jr."]);
  const one = await ada.get("/leads/grace/contact.vcf");
  expect(one.headers.get("content-type")).toContain("text/vcard");
  const card = new ICAL.Component(ICAL.parse(await one.text()));
  const values = ["fn", "email", "tel", "note"].map((name) => card.getFirstPropertyValue(name));
  expect(values).toEqual([grace.name, grace.email, grace.phone, grace.note]);
  const eve = await signedIn("eve@example.com");
  const refused = [await eve.get("/leads/grace/contact.vcf"), await ada.get("/leads/gone/contact.vcf")];
  expect(refused.map(({ status }) => status)).toEqual([404, 404]);
});
