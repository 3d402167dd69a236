import type { KyselyPlugin } from "kysely";
import { describe, expect, test } from "vitest";

import { fieldValue } from "#tests/support/app/cards.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";

import { openLeadForm } from "./shared-contacts.ts";

/** Noon in Berlin, in winter. */
const noon = Date.UTC(2026, 10, 23, 11);

async function open() {
  const time = { now: noon };
  const app = await createTestApp({ clock: () => time.now });
  const ada = await app.signedIn();
  const ownerId = await userIdOf(ada);
  return { ...app, time, ada, ownerId, share: (id: string, lead = {}) => insertLead(app, { id, ownerId, ...lead }) };
}

async function insertLead(
  { services: { db } }: TestApp,
  lead: { id: string; ownerId: string } & Record<string, unknown>,
) {
  const { id, ownerId, ...columns } = lead;
  const times = { created_at: noon, received_at: noon, expires_at: noon + 86_400_000 * 720 };
  await db
    .insertInto("lead")
    .values({ id, owner_id: ownerId, card_id: "card", ...times, ...columns })
    .execute();
  const text = {
    id: "text",
    owner_id: ownerId,
    purpose: "answer",
    version: 3,
    text: "Ada may answer me.",
    hash: "abc123",
  };
  await db
    .insertInto("consent_text")
    .values({ ...text, created_at: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const proof = { text_id: "text", text_version: 3, text_hash: "abc123", source: "form", given_at: noon };
  await db
    .insertInto("lead_consent")
    .values({ lead_id: id, owner_id: ownerId, purpose: "answer", ...proof })
    .execute();
}

async function read(response: Response | Promise<Response>) {
  return (await (await response).text()).replaceAll("<!-- -->", "");
}

test("an owner without leads reads how to get the first one", async () => {
  const { ada } = await open();
  const html = await read(ada.get("/leads"));
  expect(html).toContain("No leads yet");
  expect(html).toContain('href="/cards/edit"');
});

test("a lead is new in the list and in the header until it is opened", async () => {
  const { ada, share } = await open();
  await share("lead-1", { name: "Grace Hopper" });
  const unread = "1 not opened";
  expect(await read(ada.get("/account"))).toContain(unread);
  const html = await read(ada.get("/leads"));
  expect(html).toContain("Grace Hopper");
  expect(html).toContain("Not opened: ");
  const lead = await read(ada.get("/leads/lead-1"));
  expect(lead).toContain("Grace Hopper");
  // The page that opens it doesn't count it any more.
  expect(lead).not.toContain(unread);
  expect(await read(ada.get("/leads"))).not.toContain("Not opened: ");
  expect(await read(ada.get("/account"))).not.toContain(unread);
  await ada.post("/leads/lead-1", { intent: "unread" });
  expect(await read(ada.get("/account"))).toContain(unread);
});

describe("a lead's page", () => {
  test("shows what the visitor gave, and the proof that they agreed", async () => {
    const { ada, share } = await open();
    const answers = JSON.stringify([{ question: "Which team?", answer: "Compilers" }]);
    await share("lead-1", { name: "Grace", email: "grace@example.com", phone: "+1 555 0100", note: "Hi <b>", answers });
    const html = await read(ada.get("/leads/lead-1"));
    for (const text of ["Which team?", "Compilers", "Their note", "Hi &lt;b&gt;", "Ada may answer me.", "abc123"])
      expect(html).toContain(text);
    expect(html).toContain("Text version 3");
    expect(html).toContain('href="mailto:grace@example.com"');
    expect(html).toContain('href="tel:+15550100"');
  });

  test("has its answers in the printed inbox, each after its question", async () => {
    const { ada, share } = await open();
    await share("lead-1", {
      answers: '[{"question":"Which team?","answer":"Compilers"},{"question":"Budget","answer":""}]',
    });
    const html = await read(ada.get("/leads"));
    for (const text of [">Which team? Compilers<", ">Budget: No answer<"]) expect(html).toContain(text);
  });

  test("is not found for another owner, for reading and for writing", async () => {
    const { share, signedIn, services } = await open();
    await share("lead-1", { name: "Grace" });
    const eve = await signedIn("eve@example.com");
    const responses = [
      await eve.get("/leads/lead-1"),
      await eve.post("/leads/lead-1", { intent: "delete" }),
      await eve.post("/leads/lead-1", { intent: "save", status: "won", ownerNote: "", followUp: "", tags: "" }),
      await eve.get("/leads/unknown"),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(await responses[0]?.text()).not.toContain("Grace");
    await eve.post("/leads", { intent: "delete", id: "lead-1", back: "" });
    const row = await services.db.selectFrom("lead").selectAll().executeTakeFirst();
    expect(row).toMatchObject({ deleted_at: null, read_at: null, status: "new" });
  });

  test("saves status, follow-up, tags and note", async () => {
    const { ada, share } = await open();
    await share("lead-1", { name: "Grace" });
    const notes = {
      status: "contacted",
      followUp: "2026-11-23",
      tags: "Fair, Berlin,, fair",
      ownerNote: "Call\r\nher",
    };
    expect((await ada.post("/leads/lead-1", { intent: "save", ...notes })).headers.get("location")).toBe(
      "/leads/lead-1",
    );
    const html = await read(ada.get("/leads/lead-1"));
    expect(html).toContain('value="2026-11-23"');
    expect(html).toContain('value="Berlin, Fair"');
    expect(html).toContain("Call\nher");
    const list = await read(ada.get("/leads?tag=Fair&status=contacted"));
    expect(list).toContain("Follow up today");
    await ada.post("/leads/lead-1", { intent: "save", ...notes, followUp: "2026-11-22" });
    expect(await read(ada.get("/leads"))).toContain("Follow up since Nov 22, 2026");
  });

  test.each([
    [{ followUp: "2026-02-30" }, "Enter a day that exists."],
    [{ tags: "x".repeat(31) }, "Use at most 30 characters for a tag."],
    [{ ownerNote: "n".repeat(5_001) }, "Use at most 5,000 characters."],
  ])("refuses %o next to the field, with everything typed", async (wrong, message) => {
    const { ada, share } = await open();
    await share("lead-1", { name: "Grace" });
    const typed = { status: "won", followUp: "", tags: "typed tag", ownerNote: "typed note", ...wrong };
    const response = await ada.post("/leads/lead-1", { intent: "save", ...typed });
    expect(response.status).toBe(400);
    const html = await read(response);
    expect(html).toContain(message);
    for (const text of [typed.tags, typed.ownerNote]) expect(html).toContain(text);
    expect(await read(ada.get("/leads?status=won"))).toContain("No lead matches");
  });
});

test("a company from right to left changes neither where its line starts nor the order in it", async () => {
  const { ada, share } = await open();
  await share("one", { name: "Layla", company: "شركة", email: "layla@example.com" });
  expect(await read(ada.get("/leads"))).toContain("<bdi>شركة</bdi> · <bdi>layla@example.com</bdi>");
});

test("days of a filter are those of the owner's time zone", async () => {
  const { ada, share } = await open();
  await ada.post("/account/preferences", { mailsSignIns: "on", locale: "", timeZone: "Pacific/Auckland" });
  // 00:30 on the 24th in Auckland.
  await share("late", { name: "Late", created_at: Date.UTC(2026, 10, 23, 11, 30) });
  await share("early", { name: "Early", created_at: Date.UTC(2026, 10, 23, 10, 30) });
  const found = async (query: string) => {
    const html = await read(ada.get(`/leads?${query}`));
    return ["Late", "Early"].filter((name) => html.includes(`Select ${name}`));
  };
  expect(await found("from=2026-11-24")).toEqual(["Late"]);
  expect(await found("to=2026-11-23")).toEqual(["Early"]);
  expect(await found("from=2026-11-23&to=2026-11-24")).toEqual(["Late", "Early"]);
});

test("active filters are listed as links that each remove one", async () => {
  const { ada, share } = await open();
  await share("one", { name: "Grace", status: "won" });
  const html = await read(ada.get("/leads?q=grace&status=won&source=direct"));
  expect(html).toContain('href="/leads?q=grace&amp;source=direct"');
  expect(html).toContain('href="/leads?q=grace&amp;status=won"');
  // Open, the choices would be above the list.
  expect(html).not.toMatch(/<details[^>]* open/);
});

test("the number of leads that aren't opened leads to them, and due follow-ups are those of the owner's day", async () => {
  const { ada, share } = await open();
  await ada.post("/account/preferences", { mailsSignIns: "on", locale: "", timeZone: "Pacific/Auckland" });
  await share("new", { name: "Eda" });
  // It is the 24th in Auckland.
  await share("due", { name: "Grace", read_at: noon, follow_up: "2026-11-24" });
  const found = async (path: string) =>
    [...(await read(ada.get(path))).matchAll(/Select (Eda|Grace)"/g)].map(([, name]) => name);
  const link = /<a href="([^"]+)"[^>]*>1 not opened yet</.exec(await read(ada.get("/leads")))?.[1] ?? "";
  expect(await found(link)).toEqual(["Eda"]);
  expect(await found("/leads?show=due")).toEqual(["Grace"]);
  expect(await read(ada.get("/leads?show=due"))).toMatch(/Remove filter: <\/span><bdi[^>]*>Follow-up due</);
  const csv = await read(ada.get("/leads/export.csv?show=due"));
  expect([csv.includes("Grace"), csv.includes("Eda")]).toEqual([true, false]);
});

test("a search ignores case and accents and finds tags, in the list and in exports, until the lead is deleted", async () => {
  const { ada, grace, path, fill, leads } = await openLeadForm();
  await grace.post(`${path}/connect`, { ...(await fill()), name: "Jörg MÜLLER" });
  const id = (await leads())[0]?.id ?? "";
  await ada.post("/leads", { intent: "tag", tag: "Größe L", id, back: "" });
  const found = async (search: string) => {
    const query = `?q=${encodeURIComponent(search)}`;
    const pages = await Promise.all(["/leads", "/leads/export.csv"].map((page) => read(ada.get(page + query))));
    return pages.map((page) => page.includes("Jörg MÜLLER"));
  };
  for (const search of ["jorg muller", "Müller", "grosse"]) expect(await found(search)).toEqual([true, true]);
  expect(await found("mullers")).toEqual([false, false]);
  await ada.post("/leads", { intent: "delete", id, back: "?q=muller" });
  expect(await found("muller")).toEqual([false, false]);
});

test("pages follow each other without gaps, with the filter in their address", async () => {
  const { ada, share } = await open();
  for (let n = 0; n < 52; n++) await share(`lead-${n}`, { name: `Visitor ${n}`, created_at: noon + n, source: "qr" });
  const first = await read(ada.get("/leads?source=qr"));
  const older = /href="([^"]+)"[^>]*rel="next"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(older).toContain("source=qr");
  const second = await read(ada.get(older));
  const names = (html: string) => [...html.matchAll(/Select (Visitor \d+)"/g)].map(([, name]) => name);
  expect([...names(first), ...names(second)]).toEqual(Array.from({ length: 52 }, (_, n) => `Visitor ${51 - n}`));
});

test.each([
  ["", "Type a tag first."],
  ["x".repeat(31), "Use at most 30 characters for a tag."],
])("the tag “%s” is refused next to its field, and the selection stays", async (tag, problem) => {
  const { ada, share } = await open();
  for (const id of ["a", "b", "c"]) await share(id, { name: `Visitor ${id}` });
  const response = await ada.post("/leads?before=", [
    ["intent", "tag"],
    ["tag", tag],
    ["id", "a"],
    ["id", "c"],
  ]);
  expect(response.status).toBe(422);
  const html = await response.text();
  expect(html).toMatch(new RegExp(`id="tag-error"[^]*?${problem}`));
  expect(html).toMatch(new RegExp(`<input[^>]*name="tag"[^>]*value="${tag}"`));
  const selected = [...html.matchAll(/<input[^>]*name="id"[^>]*value="(\w)"[^>]*/g)];
  expect(selected.filter(([input]) => input.includes(`checked=""`)).map(([, id]) => id)).toEqual(["c", "a"]);
});

test("selected leads are tagged, and deleted with ten seconds to undo it, also without script", async () => {
  const { ada, share, services, time } = await open();
  for (const id of ["a", "b", "c"]) await share(id, { name: `Visitor ${id}` });
  const selected: [string, string][] = [
    ["back", "?tag=Fair"],
    ["id", "a"],
    ["id", "b"],
  ];
  await ada.post("/leads", [...selected, ["intent", "tag"], ["tag", "Fair"]]);
  expect(await read(ada.get("/leads?tag=Fair"))).not.toContain("Select Visitor c");
  const deleted = await ada.post("/leads", [...selected, ["intent", "delete"]]);
  const html = await read(ada.get(deleted.headers.get("location") ?? ""));
  expect(html).toContain("2 leads deleted");
  const deletedAt = /name="deletedAt" value="(\d+)"/.exec(html)?.[1] ?? "";
  time.now += 10_000;
  const undone = await ada.post("/leads", { intent: "undo", back: "?tag=Fair", deletedAt });
  expect(await read(ada.get(undone.headers.get("location") ?? ""))).toContain("2 leads restored");
  await ada.post("/leads", [...selected, ["intent", "delete"]]);
  time.now += 20_000;
  await services.jobs.runDue();
  expect(await services.db.selectFrom("lead").select("id").execute()).toEqual([{ id: "c" }]);
  const late = await ada.post("/leads", { intent: "undo", back: "", deletedAt: String(noon + 10_000) });
  expect(await read(ada.get(late.headers.get("location") ?? ""))).toContain("Too late to undo");
});

test("what is done on a later page of a filtered list, or with a lead opened from it, leads back to that page", async () => {
  const { ada, share } = await open();
  for (let n = 0; n < 55; n++) await share(`lead-${n}`, { name: `Visitor ${n}`, created_at: noon + n, source: "qr" });
  const first = await read(ada.get("/leads?source=qr"));
  const older = /href="([^"]+)"[^>]*rel="next"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const page = await read(ada.get(older));
  const back = fieldValue(page, "back").replaceAll("&amp;", "&");
  const tagged = await ada.post("/leads", { intent: "tag", tag: "Fair", id: "lead-0", back });
  expect(tagged.headers.get("location")).toBe(older);
  const deleted = await ada.post("/leads", { intent: "delete", id: "lead-0", back });
  expect(deleted.headers.get("location")).toMatch(/^\/leads\?source=qr&before=[^&]+&undo=\d+$/);
  const path = /href="(\/leads\/lead-1\?[^"]+)"/.exec(page)?.[1] ?? "";
  expect(await read(ada.get(path))).toContain(`href="${older.replaceAll("&", "&amp;")}"`);
  const saved = await ada.post(path, { intent: "save", status: "won", followUp: "", tags: "", ownerNote: "" });
  expect(saved.headers.get("location")).toBe(path);
  expect((await ada.post(path, { intent: "unread" })).headers.get("location")).toBe(older);
  expect((await ada.post(path, { intent: "delete" })).headers.get("location")).toMatch(/source=qr&before=[^&]+&undo=/);
  // Another page than the inbox is no list.
  expect(await read(ada.get("/leads/lead-2?list=//evil.example"))).not.toMatch(/href="[^"]*evil/);
});

test("suspected spam waits apart until the owner takes it out", async () => {
  const { ada, share } = await open();
  await share("spam", { name: "SEO Experts", quarantined_at: noon, spam_reasons: '["links"]' });
  expect(await read(ada.get("/leads"))).not.toContain("SEO Experts");
  expect(await read(ada.get("/leads?view=spam"))).toContain("SEO Experts");
  expect(await read(ada.get("/leads/spam"))).toContain("Many links");
  await ada.post("/leads", { intent: "not-spam", id: "spam", back: "?view=spam" });
  expect(await read(ada.get("/leads"))).toContain("SEO Experts");
});

test("a lead whose visitor withdrew shows the proof only", async () => {
  const { ada, share } = await open();
  await share("gone", { withdrawn_at: noon });
  expect(await read(ada.get("/leads?consent=withdrawn"))).toContain("Consent withdrawn");
  const html = await read(ada.get("/leads/gone"));
  expect(html).toContain("This visitor withdrew their consent");
  expect(html).toContain("Ada may answer me.");
  expect(html).not.toContain("Your notes");
});

test("the inbox needs as many queries with many leads as with one", async () => {
  const { share, services, ada } = await open();
  const queries = { count: 0 };
  services.db = services.db.withPlugin(countQueries(queries));
  const countFor = async () => {
    queries.count = 0;
    expect((await ada.get("/leads")).status).toBe(200);
    return queries.count;
  };
  await share("lead");
  const withOne = await countFor();
  for (let n = 0; n < 120; n++)
    await share(`lead-${n}`, { email_key: `guest-${n % 50}@example.com`, merged_into: n % 10 === 1 ? "lead-0" : null });
  expect(await countFor()).toBe(withOne);
  // The session, the header and the list, with what is merged and possible duplicates.
  expect(withOne).toBeLessThanOrEqual(14);
});

function countQueries(counted: { count: number }): KyselyPlugin {
  return {
    transformQuery({ node }) {
      counted.count += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}
