import type { KyselyPlugin } from "kysely";
import { describe, expect, test } from "vitest";

import { fieldValue } from "#tests/support/app/cards.ts";

import { noon, openInbox, readPage } from "./inbox-owner.ts";

test("an owner without leads reads how to get the first one", async () => {
  const { ada } = await openInbox();
  const html = await readPage(ada.get("/leads"));
  expect(html).toContain("No leads yet");
  expect(html).toContain('href="/cards/edit"');
});

test("a lead is new in the list and in the header until it is opened", async () => {
  const { ada, share } = await openInbox();
  await share("lead-1", { name: "Grace Hopper" });
  const unread = "1 unread";
  expect(await readPage(ada.get("/account"))).toContain(unread);
  const html = await readPage(ada.get("/leads"));
  expect(html).toContain("Grace Hopper");
  expect(html).toContain("Unread: ");
  const lead = await readPage(ada.get("/leads/lead-1"));
  expect(lead).toContain("Grace Hopper");
  // The page that opens it doesn't count it any more.
  expect(lead).not.toContain(unread);
  expect(await readPage(ada.get("/leads"))).not.toContain("Unread: ");
  expect(await readPage(ada.get("/account"))).not.toContain(unread);
  await ada.post("/leads/lead-1", { intent: "unread" });
  expect(await readPage(ada.get("/account"))).toContain(unread);
});

describe("a lead's page", () => {
  test("shows what the visitor gave, and the proof that they agreed", async () => {
    const { ada, share } = await openInbox();
    const answers = JSON.stringify([{ question: "Which team?", answer: "Compilers" }]);
    await share("lead-1", { name: "Grace", email: "grace@example.com", phone: "+1 555 0100", note: "Hi <b>", answers });
    const html = await readPage(ada.get("/leads/lead-1"));
    for (const text of ["Which team?", "Compilers", "Their note", "Hi &lt;b&gt;", "Ada may answer me.", "abc123"])
      expect(html).toContain(text);
    expect(html).toContain("Text version 3");
    expect(html).toContain('href="mailto:grace@example.com"');
    expect(html).toContain('href="tel:+15550100"');
  });

  test("has its answers in the printed inbox, each after its question", async () => {
    const { ada, share } = await openInbox();
    await share("lead-1", {
      answers: '[{"question":"Which team?","answer":"Compilers"},{"question":"Budget","answer":""}]',
    });
    const html = await readPage(ada.get("/leads"));
    for (const text of [">Which team? Compilers<", ">Budget: No answer<"]) expect(html).toContain(text);
  });

  test("is not found for another owner, for reading and for writing", async () => {
    const { share, signedIn, services } = await openInbox();
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
    const { ada, share } = await openInbox();
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
    const html = await readPage(ada.get("/leads/lead-1"));
    expect(html).toContain('value="2026-11-23"');
    expect(html).toContain('value="Berlin, Fair"');
    expect(html).toContain("Call\nher");
    const list = await readPage(ada.get("/leads?tag=Fair&status=contacted"));
    expect(list).toContain("Follow up today");
    await ada.post("/leads/lead-1", { intent: "save", ...notes, followUp: "2026-11-22" });
    expect(await readPage(ada.get("/leads"))).toContain("Follow up since Nov 22, 2026");
  });

  test("merges what two windows save, and asks before it replaces a note", async () => {
    const { ada, share } = await openInbox();
    await share("lead-1", { name: "Grace" });
    const opened = await readPage(ada.get("/leads/lead-1"));
    const baseOf = (html: string) => fieldValue(html, "base").replaceAll("&quot;", '"');
    const base = baseOf(opened);
    const notes = { intent: "save", status: "new", followUp: "", tags: "", ownerNote: "", base };
    await ada.post("/leads/lead-1", { ...notes, status: "won", tags: "Fair", ownerNote: "Sent the deck" });
    const asked = await ada.post("/leads/lead-1", {
      ...notes,
      followUp: "2026-12-01",
      tags: "Java",
      ownerNote: "Call",
    });
    expect(asked.status).toBe(400);
    const html = await readPage(asked);
    for (const text of ["Also changed in another window", "Sent the deck", ">Call</textarea>", 'value="2026-12-01"'])
      expect(html).toContain(text);
    const again = { ...notes, status: "won", followUp: "2026-12-01", tags: "Fair, Java", ownerNote: "Call" };
    expect((await ada.post("/leads/lead-1", { ...again, base: baseOf(html) })).status).toBe(302);
    const saved = await readPage(ada.get("/leads/lead-1"));
    for (const text of [">Call</textarea>", 'value="2026-12-01"', 'value="Fair, Java"']) expect(saved).toContain(text);
    expect(await readPage(ada.get("/leads?status=won"))).toContain("Grace");
  });

  test.each([
    [{ followUp: "2026-02-30" }, "Enter a day that exists."],
    [{ tags: "x".repeat(31) }, "Use at most 30 characters for a tag."],
    [{ ownerNote: "n".repeat(5_001) }, "Use at most 5,000 characters."],
    [{ ownerNote: "n".repeat(1_000_000) }, "Use at most 5,000 characters."],
  ])("refuses %o next to the field, with everything typed", async (wrong, message) => {
    const { ada, share } = await openInbox();
    await share("lead-1", { name: "Grace" });
    const typed = { status: "won", followUp: "", tags: "typed tag", ownerNote: "typed note", ...wrong };
    const response = await ada.post("/leads/lead-1", { intent: "save", ...typed });
    expect(response.status).toBe(400);
    const html = await readPage(response);
    expect(html).toContain(message);
    for (const text of [typed.tags, typed.ownerNote]) expect(html).toContain(text);
    expect(await readPage(ada.get("/leads?status=won"))).toContain("No leads match");
  });
});

test.each([
  ["", "Type a tag first."],
  ["x".repeat(31), "Use at most 30 characters for a tag."],
])("the tag “%s” is refused next to its field, and the selection stays", async (tag, problem) => {
  const { ada, share } = await openInbox();
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
  const { ada, share, services, time } = await openInbox();
  for (const id of ["a", "b", "c"]) await share(id, { name: `Visitor ${id}` });
  const selected: [string, string][] = [
    ["back", "?tag=Fair"],
    ["id", "a"],
    ["id", "b"],
  ];
  await ada.post("/leads", [...selected, ["intent", "tag"], ["tag", "Fair"]]);
  expect(await readPage(ada.get("/leads?tag=Fair"))).not.toContain("Select Visitor c");
  const deleted = await ada.post("/leads", [...selected, ["intent", "delete"]]);
  const html = await readPage(ada.get(deleted.headers.get("location") ?? ""));
  expect(html).toContain("2 leads deleted");
  const deletedAt = /name="deletedAt" value="(\d+)"/.exec(html)?.[1] ?? "";
  time.now += 10_000;
  const undone = await ada.post("/leads", { intent: "undo", back: "?tag=Fair", deletedAt });
  expect(await readPage(ada.get(undone.headers.get("location") ?? ""))).toContain("2 leads restored");
  await ada.post("/leads", [...selected, ["intent", "delete"]]);
  time.now += 20_000;
  await services.jobs.runDue();
  expect(await services.db.selectFrom("lead").select("id").execute()).toEqual([{ id: "c" }]);
  const late = await ada.post("/leads", { intent: "undo", back: "", deletedAt: String(noon + 10_000) });
  expect(await readPage(ada.get(late.headers.get("location") ?? ""))).toContain("Too late to undo");
});

test("suspected spam waits apart until the owner takes it out", async () => {
  const { ada, share } = await openInbox();
  await share("spam", { name: "SEO Experts", quarantined_at: noon, spam_reasons: '["links"]' });
  expect(await readPage(ada.get("/leads"))).not.toContain("SEO Experts");
  expect(await readPage(ada.get("/leads?view=spam"))).toContain("SEO Experts");
  expect(await readPage(ada.get("/leads/spam"))).toContain("Many links, or one in the name or company.");
  await ada.post("/leads", { intent: "not-spam", id: "spam", back: "?view=spam" });
  expect(await readPage(ada.get("/leads"))).toContain("SEO Experts");
});

test("a lead whose visitor withdrew shows the proof only", async () => {
  const { ada, share } = await openInbox();
  await share("gone", { withdrawn_at: noon });
  expect(await readPage(ada.get("/leads?consent=withdrawn"))).toContain("Consent withdrawn");
  const html = await readPage(ada.get("/leads/gone"));
  expect(html).toContain("This visitor withdrew their consent");
  expect(html).toContain("Ada may answer me.");
  expect(html).not.toContain("Your notes");
});

test("the inbox needs as many queries with many leads as with one", async () => {
  const { share, services, ada } = await openInbox();
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
