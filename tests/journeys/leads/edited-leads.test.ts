import { expect, test } from "vitest";

import { openOwner } from "#tests/journeys/leads/lead-owner.ts";
import { shareContact } from "#tests/journeys/leads/shared-contacts.ts";
import { baseOf } from "#tests/support/app/cards.ts";
import { textWith } from "#tests/support/app/responses.ts";

const corrected = {
  name: "Grace Hopper",
  title: "Rear Admiral",
  company: "Navy",
  "emails.0": "grace@navy.example",
  "emails.1": "grace@home.example",
  "phones.0": "+1 202 555 0100",
  "phones.1": "",
  website: "navy.example/grace",
};

test("a corrected lead is listed, found and exported with the new details; what was sent stays as proof", async () => {
  const { ada, share, read } = await openOwner();
  await share({ id: "grace", name: "Grce", email: "grace@typo.example", note: "Hi" });
  const saved = await ada.post("/leads/grace/edit", corrected);
  expect([saved.status, saved.headers.get("location")]).toEqual([302, "/leads/grace"]);
  const page = await read("/leads/grace");
  for (const text of ["Rear Admiral", "mailto:grace@home.example", "https://navy.example/grace", "What they sent"])
    expect(page).toContain(text);
  for (const text of ["Grce", "grace@typo.example"]) expect(page).toContain(text);
  expect(await read("/leads")).not.toContain("Grce");
  for (const search of ["admiral", "home.example", "navy.example/grace"])
    expect(await read(`/leads?q=${search}`)).toContain("Select Grace Hopper");
  expect(await read("/leads?q=typo")).toContain("No leads match");
  const csv = await read("/leads/export.csv");
  for (const text of ["grace@navy.example", "Email: grace@home.example", "Rear Admiral", "https://navy.example/grace"])
    expect(csv).toContain(text);
  expect(csv).not.toContain("typo");
  const vcard = await read("/leads/contacts.vcf");
  for (const text of ["FN:Grace Hopper", "TITLE:Rear Admiral", "grace@home.example", "https://navy.example/grace"])
    expect(vcard).toContain(text);
});

test("a second correction doesn't change what was sent", async () => {
  const { ada, share, services } = await openOwner();
  await share({ id: "grace", name: "Grce", email: "grace@typo.example" });
  for (const name of ["Grace", "Grace Hopper"]) await ada.post("/leads/grace/edit", { ...corrected, name });
  const row = await services.db.selectFrom("lead").selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ name: "Grace Hopper", email_key: "grace@navy.example", phone_key: "12025550100" });
  expect(JSON.parse(row.sent_details)).toMatchObject({ name: "Grce", email: "grace@typo.example", phone: "" });
});

test("wrong details are refused next to their field, with everything typed", async () => {
  const { ada, share, read } = await openOwner();
  await share({ id: "grace", name: "Grace" });
  for (const [wrong, message, field] of [
    [{ "emails.1": "grace@" }, "Enter a valid email address", "emails.1"],
    [{ "phones.0": "call me" }, "Enter a phone number with at least one digit.", "phones.0"],
    [{ website: "javascript:alert(1)" }, "Enter a web address, such as example.com.", "website"],
    [{ title: "t".repeat(101) }, "Use at most 100 characters.", "title"],
  ] as const) {
    const html = await textWith(400, await ada.post("/leads/grace/edit", { ...corrected, ...wrong }), message);
    expect(new RegExp(`<input[^>]*name="${field}"[^>]*`).exec(html)?.[0]).toContain('aria-invalid="true"');
    for (const text of ['value="Grace Hopper"', Object.values(wrong)[0]]) expect(html).toContain(text);
  }
  const nothing = { name: "", title: "", company: "", website: "", "emails.0": "", "phones.0": "" };
  await textWith(400, await ada.post("/leads/grace/edit", nothing), "Enter a name, a company");
  expect(await read("/leads")).toContain("Select Grace");
});

test("two windows that change different details are merged; the same detail is asked about", async () => {
  const { ada, share, read } = await openOwner();
  await share({ id: "grace", name: "Grce" });
  const base = baseOf(await read("/leads/grace/edit"));
  await ada.post("/leads/grace/edit", { name: "Grce", company: "Navy", base });
  const save = (change: Record<string, string>) => ada.post("/leads/grace/edit", { name: "Grace", base, ...change });
  expect((await save({ company: "" })).status).toBe(302);
  const page = await read("/leads/grace");
  for (const text of ["Grace", "Navy"]) expect(page).toContain(text);
  const html = await textWith(409, await save({ company: "Army" }), "Also changed in another window: Company.");
  expect(html).toContain('value="Army"');
  expect((await save({ company: "Army", base: baseOf(html) })).status).toBe(302);
  expect(await read("/leads/grace")).toContain("Army");
});

test("can't be edited by another owner, once it is withdrawn, or when it is unknown", async () => {
  const { share, signedIn, ada, services } = await openOwner();
  await share({ id: "grace" });
  await share({ id: "gone", withdrawn_at: 1 });
  const eve = await signedIn("eve@example.com");
  const responses = [
    await eve.get("/leads/grace/edit"),
    await eve.post("/leads/grace/edit", corrected),
    await ada.get("/leads/gone/edit"),
    await ada.post("/leads/gone/edit", corrected),
    await ada.post("/leads/unknown/edit", corrected),
  ];
  expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  const rows = await services.db.selectFrom("lead").select("company").execute();
  expect(rows.map(({ company }) => company)).toEqual(["", ""]);
});

test("the visitor sees what they sent, and withdrawing removes the corrected details, too", async () => {
  const { ada, grace, link, leads, read, ownerMails } = await shareContact();
  const [lead] = await leads();
  await ada.post(`/leads/${lead?.id}/edit`, corrected);
  const shared = await read(link);
  expect(shared).toContain("grace@example.com");
  expect(shared).not.toContain("navy.example");
  await grace.post(link, { intent: "withdraw" });
  const [row] = await leads();
  expect(JSON.stringify(row)).not.toMatch(/navy|home\.example|grace|admiral/i);
  expect(row?.proof_hash).not.toBe("");
  expect((await ownerMails())[0]?.subject).toBe("A lead withdrew their consent");
});
