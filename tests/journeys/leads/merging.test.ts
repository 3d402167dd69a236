import { expect, test } from "vitest";

import { sharedPath } from "#app/features/leads/consent/visitor-data.server.ts";
import { hour, noon, openOwner } from "#tests/journeys/leads/lead-owner.ts";
import { textWith } from "#tests/support/app/responses.ts";
import { insertRows } from "#tests/support/database/account-rows.ts";

/** Grace shared her contact twice, with different numbers. */
async function open() {
  const owner = await openOwner();
  const { ada, ownerId, services } = owner;
  const share = async (id: string, hoursAgo: number, columns: Record<string, string>) => {
    const at = noon - hoursAgo * hour;
    await owner.share({ id, created_at: at, received_at: at, ...columns });
    const proof = { text_id: "t", text_version: 1, text_hash: "h", source: "form", given_at: at };
    await insertRows(services, { lead_consent: { lead_id: id, owner_id: ownerId, purpose: "newsletter", ...proof } });
  };
  const grace = { name: "Grace Hopper", email: "grace@example.com", email_key: "grace@example.com" };
  await share("old", 48, { ...grace, phone: "+1 555 0100", company: "Navy", owner_note: "Tall", note: "Booth 4" });
  await share("latest", 1, { ...grace, phone: "+1 555 0199", owner_note: "Kind", note: "The deck, please" });
  await share("eda", 2, { name: "Eda" });
  const mergeInto = (main: string, other: string, { by = ada, path = "/leads/merge" } = {}) =>
    by.post(path, [
      ["id", other],
      ["id", main],
      ["main", main],
    ]);
  return { ...owner, share, mergeInto, merge: () => mergeInto("latest", "old") };
}

test("possible duplicates are marked in the list and on their pages, until the owner says that they are someone else", async () => {
  const { ada, read } = await open();
  const list = await read("/leads");
  expect(list.match(/Possible duplicate/g)).toHaveLength(2);
  expect(list).toContain("Select Eda");
  expect(await read("/leads/old")).toContain('href="/leads/merge?id=old&amp;id=latest"');
  expect(await read("/leads/eda")).not.toContain("Possible duplicate");
  await ada.post("/leads/old", { intent: "distinct", id: "latest" });
  expect(await read("/leads")).not.toContain("Possible duplicate");
});

test("the newest is proposed as the main lead, and the other is shown with it afterwards", async () => {
  const { ada, read, merge } = await open();
  const form = await read("/leads/merge?id=old&id=latest");
  expect(/<input[^>]*checked=""[^>]*>/.exec(form)?.[0]).toContain('value="latest"');
  expect((await merge()).headers.get("location")).toBe("/leads/latest?merged=old");
  const page = await read("/leads/latest?merged=old");
  for (const text of ["2 leads merged", "Kind", "Tall", "+1 555 0199", "+1 555 0100", "Navy", "Booth 4"])
    expect(page).toContain(text);
  expect(page).toContain("Delete both submissions");
  const list = await read("/leads");
  expect(list).toContain("2 submissions");
  expect(list.match(/aria-label="Select Grace Hopper"/g)).toHaveLength(1);
  expect(list).not.toContain("Possible duplicate");
  expect(await read("/leads/old")).toContain("This submission is shown with");
  await ada.post("/leads/latest", { intent: "separate", id: "old" });
  expect((await read("/leads")).match(/aria-label="Select Grace Hopper"/g)).toHaveLength(2);
});

test("merging leads of a filtered inbox leads back to that inbox, also when it is canceled", async () => {
  const { read, mergeInto } = await open();
  const path = `/leads/merge?${new URLSearchParams({ back: "?q=grace" })}&id=old&id=latest`;
  expect(await read(path)).toMatch(/href="\/leads\?q=grace"[^>]*>Cancel/);
  expect(await read("/leads/merge?id=old&id=latest")).toMatch(/href="\/leads\/latest"[^>]*>Cancel/);
  const location = (await mergeInto("latest", "old", { path })).headers.get("location") ?? "";
  expect(location).toBe("/leads/latest?merged=old&list=%3Fq%3Dgrace");
  expect(await read(location)).toContain('href="/leads?q=grace"');
});

test("a form that is out of date merges nothing and says so", async () => {
  const { merge, read } = await open();
  const leftOut = "One of the leads that you selected is left out";
  expect(await read("/leads/merge?id=old&id=latest&id=eda")).not.toContain(leftOut);
  expect((await merge()).status).toBe(302);
  expect(await read("/leads/merge?id=old&id=latest&id=eda")).toContain(leftOut);
  expect(await textWith(409, await merge())).toContain("one of these leads has changed");
  expect(await read("/leads/merge?id=eda")).toContain("Nothing to merge");
});

test("other owners' leads can't be compared, merged or separated", async () => {
  const { merge, mergeInto, signedIn, read } = await open();
  await merge();
  const eve = await signedIn("eve@example.com");
  expect(await read("/leads/merge?id=old&id=eda", eve)).not.toContain("Grace");
  expect((await mergeInto("latest", "eda", { by: eve })).status).toBe(409);
  expect((await eve.post("/leads/latest", { intent: "separate", id: "old" })).status).toBe(404);
  expect(await read("/leads")).toContain("2 submissions");
});

test("leads that share nothing can be merged, after a warning", async () => {
  const { read, mergeInto } = await open();
  const warning = "Check that they are the same person";
  expect(await read("/leads/merge?id=eda&id=latest")).toContain(warning);
  expect(await read("/leads/merge?id=old&id=latest")).not.toContain(warning);
  expect((await mergeInto("eda", "latest")).headers.get("location")).toBe("/leads/eda?merged=latest");
});

test("exports have one entry for a person, with everything that they shared", async () => {
  const { read, merge, mergeInto, share, services } = await open();
  await merge();
  const csv = await read("/leads/export.csv");
  expect(csv.match(/Grace Hopper/g)).toHaveLength(1);
  const row = /[^\n]*Grace Hopper[\s\S]*/.exec(csv)?.[0] ?? "";
  for (const text of ["Navy", "Kind", "Tall", "Booth 4", "The deck, please", "Phone: +1 555 0100"])
    expect(row).toContain(text);
  expect(row).toContain('"Reply, Newsletter"');
  const contacts = await read("/leads/contacts.vcf");
  expect(contacts.match(/BEGIN:VCARD/g)).toHaveLength(2);
  for (const text of ["+1 555 0199", "+1 555 0100", "ORG:Navy"]) expect(contacts).toContain(text);
  // She unsubscribed from the news, by the link of another submission that was merged.
  await share("third", 5, { email: "Grace@example.com" });
  const consent = services.db.updateTable("lead_consent").set({ withdrawn_at: noon });
  await consent.where("lead_id", "=", "third").where("purpose", "=", "newsletter").execute();
  await mergeInto("latest", "third");
  const after = await read("/leads/export.csv");
  expect(after).toContain("Reply,New,");
});

test("what the visitor's own links show and remove is one submission, also when it is merged", async () => {
  const { merge, services, read, visitor } = await open();
  await merge();
  const link = sharedPath(services.sign, "latest");
  const shown = await read(link, visitor());
  expect(shown).toContain("+1 555 0199");
  expect(shown).not.toContain("+1 555 0100");
  await visitor().post(link, { intent: "erase" });
  const page = await read("/leads/old");
  expect(page).toContain("+1 555 0100");
  expect(page).not.toMatch(/\+1 555 0199|This submission is shown with/);
  expect(await read("/leads")).toContain("Select Grace Hopper");
});
