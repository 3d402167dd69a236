import { expect, test } from "vitest";

import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const noon = Date.UTC(2026, 10, 23, 11);

/** Grace shared her contact twice, with different numbers. */
async function open() {
  const app = await createTestApp({ clock: () => noon });
  const ada = await app.signedIn();
  const ownerId = await userIdOf(ada);
  const share = async (id: string, columns: Record<string, string>, { hoursAgo = 1, consent = {} } = {}) => {
    const at = noon - hoursAgo * 3_600_000;
    const times = { created_at: at, received_at: at, expires_at: noon * 2 };
    await app.services.db
      .insertInto("lead")
      .values({ id, owner_id: ownerId, card_id: "card", ...times, ...columns })
      .execute();
    const proof = { text_id: "t", text_version: 1, text_hash: "h", source: "form", given_at: at, ...consent };
    const purposes = "withdrawn_at" in consent ? ["newsletter"] : ["answer", "newsletter"];
    for (const purpose of purposes)
      await app.services.db
        .insertInto("lead_consent")
        .values({ lead_id: id, owner_id: ownerId, purpose, ...proof })
        .execute();
  };
  const grace = { name: "Grace Hopper", email: "grace@example.com", email_key: "grace@example.com" };
  await share(
    "old",
    { ...grace, phone: "+1 555 0100", company: "Navy", owner_note: "Tall", note: "Booth 4" },
    { hoursAgo: 48 },
  );
  await share("latest", { ...grace, phone: "+1 555 0199", owner_note: "Kind", note: "The deck, please" });
  await share("eda", { name: "Eda" }, { hoursAgo: 2 });
  const read = async (path: string) => (await (await ada.get(path)).text()).replaceAll("<!-- -->", "");
  const merge = () =>
    ada.post("/leads/merge", [
      ["id", "old"],
      ["id", "latest"],
      ["main", "latest"],
    ]);
  return { ...app, ada, share, read, merge };
}

test("possible duplicates are marked in the list and on their pages, and never merged by themselves", async () => {
  const { read } = await open();
  const list = await read("/leads");
  expect(list.match(/Possible duplicate/g)).toHaveLength(2);
  expect(list).toContain("Select Eda");
  const page = await read("/leads/old");
  expect(page).toContain('href="/leads/merge?id=old&amp;id=latest"');
  expect(await read("/leads/eda")).not.toContain("Possible duplicate");
});

test("the newest is proposed as the main lead, and the other is shown with it afterwards", async () => {
  const { ada, read, merge } = await open();
  const form = await read("/leads/merge?id=old&id=latest");
  expect(/<input[^>]*checked=""[^>]*>/.exec(form)?.[0]).toContain('value="latest"');
  const merged = await merge();
  expect(merged.headers.get("location")).toBe("/leads/latest?merged=old");
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
  const { ada, read } = await open();
  const path = `/leads/merge?${new URLSearchParams({ back: "?q=grace" })}&id=old&id=latest`;
  expect(await read(path)).toMatch(/href="\/leads\?q=grace"[^>]*>Cancel/);
  expect(await read("/leads/merge?id=old&id=latest")).toMatch(/href="\/leads\/latest"[^>]*>Cancel/);
  const merged = await ada.post(path, [
    ["id", "old"],
    ["id", "latest"],
    ["main", "latest"],
  ]);
  const location = merged.headers.get("location") ?? "";
  expect(location).toBe("/leads/latest?merged=old&list=%3Fq%3Dgrace");
  expect(await read(location)).toContain('href="/leads?q=grace"');
});

test("a form that is out of date merges nothing and says so", async () => {
  const { ada, merge, read } = await open();
  expect(await read("/leads/merge?id=old&id=latest&id=eda")).not.toContain("left out");
  expect((await merge()).status).toBe(302);
  expect(await read("/leads/merge?id=old&id=latest&id=eda")).toContain(
    "One of the leads that you selected is left out",
  );
  const again = await merge();
  expect(again.status).toBe(409);
  expect(await again.text()).toContain("one of these leads has changed");
  const alone = await (await ada.get("/leads/merge?id=eda")).text();
  expect(alone).toContain("Nothing to merge");
});

test("other owners' leads can't be compared, merged or separated", async () => {
  const { merge, signedIn, read } = await open();
  await merge();
  const eve = await signedIn("eve@example.com");
  expect(await (await eve.get("/leads/merge?id=old&id=eda")).text()).not.toContain("Grace");
  const ids: [string, string][] = [
    ["id", "eda"],
    ["main", "latest"],
  ];
  expect((await eve.post("/leads/merge", ids)).status).toBe(409);
  expect((await eve.post("/leads/latest", { intent: "separate", id: "old" })).status).toBe(404);
  expect(await read("/leads")).toContain("2 submissions");
});

test("leads that share nothing can be merged, after a warning", async () => {
  const { ada, read } = await open();
  expect(await read("/leads/merge?id=eda&id=latest")).toContain("Check that they are the same person");
  expect(await read("/leads/merge?id=old&id=latest")).not.toContain("Check that they are the same person");
  const merged = await ada.post("/leads/merge", [
    ["id", "eda"],
    ["id", "latest"],
    ["main", "eda"],
  ]);
  expect(merged.headers.get("location")).toBe("/leads/eda?merged=latest");
});

test("a person who is someone else isn't shown as a duplicate any more", async () => {
  const { ada, read } = await open();
  await ada.post("/leads/old", { intent: "distinct", id: "latest" });
  expect(await read("/leads")).not.toContain("Possible duplicate");
});

test("exports have one entry for a person, with everything that they shared", async () => {
  const { ada, merge, share } = await open();
  await merge();
  const csv = await (await ada.get("/leads/export.csv")).text();
  expect(csv.match(/Grace Hopper/g)).toHaveLength(1);
  const row = /[^\n]*Grace Hopper[\s\S]*/.exec(csv)?.[0] ?? "";
  for (const text of ["Navy", "Kind", "Tall", "Booth 4", "The deck, please", "Phone: +1 555 0100"])
    expect(row).toContain(text);
  expect(row).toContain('"Reply, Newsletter"');
  const contacts = await (await ada.get("/leads/contacts.vcf")).text();
  expect(contacts.match(/BEGIN:VCARD/g)).toHaveLength(2);
  for (const text of ["+1 555 0199", "+1 555 0100", "ORG:Navy"]) expect(contacts).toContain(text);
  // She unsubscribed from the news, by the link of another submission that was merged.
  await share("third", { email: "Grace@example.com" }, { hoursAgo: 5, consent: { withdrawn_at: noon } });
  await ada.post("/leads/merge", [
    ["id", "third"],
    ["id", "latest"],
    ["main", "latest"],
  ]);
  const after = await (await ada.get("/leads/export.csv")).text();
  expect(after).toContain("Reply,New,");
  expect(after).not.toContain("Newsletter,New");
});

test("what the visitor's own links show and remove is one submission, also when it is merged", async () => {
  const { merge, services, read, visitor } = await open();
  await merge();
  const { sharedPath } = await import("#app/features/leads/consent/visitor-data.server.ts");
  const [link, grace] = [sharedPath(services.sign, "latest"), visitor()];
  const shown = await (await grace.get(link)).text();
  expect(shown).toContain("+1 555 0199");
  expect(shown).not.toContain("+1 555 0100");
  await grace.post(link, { intent: "erase" });
  const page = await read("/leads/old");
  expect(page).toContain("+1 555 0100");
  expect(page).not.toContain("+1 555 0199");
  expect(page).not.toContain("This submission is shown with");
  expect(await read("/leads")).toContain("Select Grace Hopper");
});
