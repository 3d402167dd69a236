import { describe, expect, test } from "vitest";

import { noon, openOwner } from "#tests/journeys/leads/lead-owner.ts";
import { baseOf, fieldValue } from "#tests/support/app/cards.ts";
import { tagsNamed } from "#tests/support/app/profiles.ts";
import { textWith } from "#tests/support/app/responses.ts";
import { countQueries } from "#tests/support/database/count-queries.ts";
import { servicesText } from "#tests/support/database/leads.ts";

const unread = "1 unread";
const emptyNotes = { intent: "save", status: "new", followUp: "", tags: "", ownerNote: "" };

test("a lead is new in the list and in the header until it is opened", async () => {
  const { ada, share, read } = await openOwner();
  const empty = await read("/leads");
  for (const text of ["No leads yet", 'href="/cards/edit"']) expect(empty).toContain(text);
  await share({ id: "grace", name: "Grace Hopper" });
  expect(await read("/account")).toContain(unread);
  const html = await read("/leads");
  for (const text of ["Grace Hopper", "Unread: "]) expect(html).toContain(text);
  const lead = await read("/leads/grace");
  expect(lead).toContain("Grace Hopper");
  // The page that opens it doesn't count it any more.
  expect(lead).not.toContain(unread);
  expect(await read("/leads")).not.toContain("Unread: ");
  expect(await read("/account")).not.toContain(unread);
  await ada.post("/leads/grace", { intent: "unread" });
  expect(await read("/account")).toContain(unread);
});

describe("a lead's page", () => {
  test("shows what the visitor gave, and the proof that they agreed; the printed inbox has the answers", async () => {
    const { share, read } = await openOwner();
    const answers = '[{"question":"Which team?","answer":"Compilers"},{"question":"Budget","answer":""}]';
    await share(
      { id: "grace", email: "grace@example.com", phone: "+1 555 0100", note: "Hi <b>", answers },
      servicesText,
    );
    const html = await read("/leads/grace");
    const texts = ["Which team?", "Compilers", "Their note", "Hi &lt;b&gt;", `Text version ${servicesText.length}`];
    for (const text of texts) expect(html).toContain(text);
    // As itself, and as its hash in these tests.
    expect(html.split(servicesText).length).toBeGreaterThan(2);
    for (const href of ["mailto:grace@example.com", "tel:+15550100"]) expect(html).toContain(`href="${href}"`);
    const list = await read("/leads");
    for (const text of [">Which team? Compilers<", ">Budget: No answer<"]) expect(list).toContain(text);
  });

  test("is not found for another owner, for reading and for writing", async () => {
    const { share, signedIn, services } = await openOwner();
    await share({ id: "grace" });
    const eve = await signedIn("eve@example.com");
    const responses = [
      await eve.get("/leads/grace"),
      await eve.post("/leads/grace", { intent: "delete" }),
      await eve.post("/leads/grace", { ...emptyNotes, status: "won" }),
      await eve.get("/leads/unknown"),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(await responses[0]?.text()).not.toContain("Guest grace");
    await eve.post("/leads", { intent: "delete", id: "grace", back: "" });
    const row = await services.db.selectFrom("lead").selectAll().executeTakeFirst();
    expect(row).toMatchObject({ deleted_at: null, read_at: null, status: "new" });
  });

  test("saves status, follow-up, tags and note", async () => {
    const { ada, share, read } = await openOwner();
    await share({ id: "grace" });
    const notes = {
      status: "contacted",
      tags: "Fair, Berlin,, fair",
      ownerNote: "Call\r\nher",
      followUp: "2026-11-23",
    };
    const save = (change = {}) => ada.post("/leads/grace", { ...emptyNotes, ...notes, ...change });
    expect((await save()).headers.get("location")).toBe("/leads/grace");
    const html = await read("/leads/grace");
    for (const text of ['value="2026-11-23"', 'value="Berlin, Fair"', "Call\nher"]) expect(html).toContain(text);
    expect(await read("/leads?tag=Fair&status=contacted")).toContain("Follow up today");
    await save({ followUp: "2026-11-22" });
    expect(await read("/leads")).toContain("Follow up since Nov 22, 2026");
  });

  test("merges what two windows save, and asks before it replaces a note", async () => {
    const { ada, share, read } = await openOwner();
    await share({ id: "grace" });
    const save = (change: Record<string, string>) => ada.post("/leads/grace", { ...emptyNotes, ...change });
    const base = baseOf(await read("/leads/grace"));
    await save({ base, status: "won", tags: "Fair", ownerNote: "Sent the deck" });
    const html = await textWith(400, await save({ base, followUp: "2026-12-01", tags: "Java", ownerNote: "Call" }));
    const texts = [">Call</textarea>", 'value="2026-12-01"'];
    for (const text of ["Also changed in another window", "Sent the deck", ...texts]) expect(html).toContain(text);
    const again = { status: "won", followUp: "2026-12-01", tags: "Fair, Java", ownerNote: "Call", base: baseOf(html) };
    expect((await save(again)).status).toBe(302);
    const saved = await read("/leads/grace");
    for (const text of [...texts, 'value="Fair, Java"']) expect(saved).toContain(text);
    expect(await read("/leads?status=won")).toContain("Guest grace");
  });

  test("refuses wrong notes next to the field, with everything typed", async () => {
    const { ada, share, read } = await openOwner();
    await share({ id: "grace" });
    for (const [wrong, message] of [
      [{ followUp: "2026-02-30" }, "Enter a day that exists."],
      [{ tags: "x".repeat(31) }, "Use at most 30 characters for a tag."],
      [{ ownerNote: "n".repeat(1_000_000) }, "Use at most 5,000 characters."],
      [{ ownerNote: "n".repeat(5_001) }, "Use at most 5,000 characters."],
    ] as const) {
      const typed = { status: "won", tags: "typed tag", ownerNote: "typed note", ...wrong };
      const html = await textWith(400, await ada.post("/leads/grace", { ...emptyNotes, ...typed }), message);
      for (const text of [message, typed.tags, typed.ownerNote]) expect(html).toContain(text);
    }
    expect(await read("/leads?status=won")).toContain("No leads match");
  });
});

test.each([
  ["", "Type a tag first."],
  ["x".repeat(31), "Use at most 30 characters for a tag."],
])("the tag “%s” is refused next to its field, and the selection stays", async (tag, problem) => {
  const { ada, share } = await openOwner();
  for (const id of ["a", "b", "c"]) await share({ id });
  const response = await ada.post("/leads?before=", [
    ["intent", "tag"],
    ["tag", tag],
    ["id", "a"],
    ["id", "c"],
  ]);
  const html = await textWith(422, response);
  expect(html).toMatch(new RegExp(`id="tag-error"[^]*?${problem}`));
  expect(tagsNamed(html, "tag").join()).toContain(`value="${tag}"`);
  const selected = tagsNamed(html, "id").filter((input) => input.includes(`checked=""`));
  expect(selected.map((input) => /value="(\w)"/.exec(input)?.[1])).toEqual(["c", "a"]);
});

test("selected leads are tagged, and deleted with ten seconds to undo it, also without script", async () => {
  const { ada, share, services, time, wait, read } = await openOwner();
  for (const id of ["a", "b", "c"]) await share({ id });
  const selected: [string, string][] = [
    ["back", "?tag=Fair"],
    ["id", "a"],
    ["id", "b"],
  ];
  const follow = async (response: Response) => read(response.headers.get("location") ?? "");
  await ada.post("/leads", [...selected, ["intent", "tag"], ["tag", "Fair"]]);
  expect(await read("/leads?tag=Fair")).not.toContain("Select Guest c");
  const html = await follow(await ada.post("/leads", [...selected, ["intent", "delete"]]));
  expect(html).toContain("2 leads deleted");
  const deletedAt = /name="deletedAt" value="(\d+)"/.exec(html)?.[1] ?? "";
  time.now += 10_000;
  const undone = await ada.post("/leads", { intent: "undo", back: "?tag=Fair", deletedAt });
  expect(await follow(undone)).toContain("2 leads restored");
  await ada.post("/leads", [...selected, ["intent", "delete"]]);
  await wait(20_000);
  expect(await services.db.selectFrom("lead").select("id").execute()).toEqual([{ id: "c" }]);
  const late = await ada.post("/leads", { intent: "undo", back: "", deletedAt: String(noon + 10_000) });
  expect(await follow(late)).toContain("Too late to undo");
});

test("suspected spam waits apart until the owner takes it out", async () => {
  const { ada, share, read } = await openOwner();
  await share({ id: "spam", name: "SEO Experts", quarantined_at: noon, spam_reasons: '["links"]' });
  expect(await read("/leads")).not.toContain("SEO Experts");
  expect(await read("/leads?view=spam")).toContain("SEO Experts");
  expect(await read("/leads/spam")).toContain("Many links, or one in the name or company.");
  await ada.post("/leads", { intent: "not-spam", id: "spam", back: "?view=spam" });
  expect(await read("/leads")).toContain("SEO Experts");
});

test("a lead whose visitor withdrew shows the proof only", async () => {
  const { share, read } = await openOwner();
  await share({ id: "gone", withdrawn_at: noon }, servicesText);
  expect(await read("/leads?consent=withdrawn")).toContain("Consent withdrawn");
  const html = await read("/leads/gone");
  for (const text of ["This visitor withdrew their consent", servicesText]) expect(html).toContain(text);
  expect(html).not.toContain("Your notes");
});

test("the inbox needs as many queries with many leads as with one", async () => {
  const { share, shareMany, services, ada } = await openOwner();
  const queries = countQueries(services);
  const countFor = async () => {
    queries.count = 0;
    expect((await ada.get("/leads")).status).toBe(200);
    return queries.count;
  };
  await share();
  const withOne = await countFor();
  const leads = Array.from({ length: 120 }, (_, n) => ({ email_key: `guest-${n % 50}@example.com` }));
  await shareMany(leads.map((lead, n) => ({ ...lead, merged_into: n % 10 === 1 ? "many-0" : null })));
  expect(await countFor()).toBe(withOne);
  // The session, the header and the list, with what is merged and possible duplicates.
  expect(withOne).toBeLessThanOrEqual(14);
});

async function open() {
  const owner = await openOwner();
  const chooseTimeZone = (timeZone: string) =>
    owner.ada.post("/account/preferences", { mailsSignIns: "on", locale: "", timeZone });
  /** The names in a list, from the top. */
  const find = async (path: string) =>
    [...(await owner.read(path)).matchAll(/"Select Guest ([\w-]+)"/g)].map(([, name]) => name);
  return { ...owner, chooseTimeZone, find };
}

test("a company from right to left changes neither where its line starts nor the order in it", async () => {
  const { share, read } = await open();
  await share({ name: "Layla", company: "شركة", email: "layla@example.com" });
  expect(await read("/leads")).toContain("\u2068شركة\u2069 · \u2068layla@example.com\u2069");
});

test("leads are listed by day, and Tuesday's lead is two taps from the list: This week, and the lead", async () => {
  const { share, time, read } = await open();
  // Noon of a Friday in Berlin.
  time.now += 4 * 86_400_000;
  const daysAgo = (days: number) => ({ created_at: time.now - days * 86_400_000 });
  await share({ id: "today", ...daysAgo(0), read_at: 1 });
  await share({ id: "tuesday", ...daysAgo(3) });
  await share({ id: "older", ...daysAgo(8) });
  const page = await read("/leads");
  const headings = [...page.matchAll(/<h2 id="day-\d"[^>]*>([^<]+)/g)].map(([, heading]) => heading);
  expect(headings).toEqual(["Today", "Tuesday, Nov 24", "Thursday, Nov 19"]);
  const hrefOf = (label: string) =>
    new RegExp(`href="(/leads[^"]*)"[^>]*>${label}<`).exec(page)?.[1]?.replaceAll("&amp;", "&");
  const week = await read(hrefOf("This week") ?? "");
  for (const text of ["Select Guest today", "Select Guest tuesday", 'aria-current="true"'])
    expect(week).toContain(text);
  for (const text of ["Select Guest older", "Remove filter"]) expect(week).not.toContain(text);
  expect(await read(hrefOf("Today") ?? "")).not.toContain("Select Guest tuesday");
  expect(page).toMatch(/>Unread<span[^>]*>2</);
});

test("days of a filter are those of the owner's time zone", async () => {
  const { chooseTimeZone, share, find } = await open();
  await chooseTimeZone("Pacific/Auckland");
  // 00:30 on the 24th in Auckland.
  await share({ id: "late", created_at: Date.UTC(2026, 10, 23, 11, 30) });
  await share({ id: "early", created_at: Date.UTC(2026, 10, 23, 10, 30) });
  expect(await find("/leads?from=2026-11-24")).toEqual(["late"]);
  expect(await find("/leads?to=2026-11-23")).toEqual(["early"]);
  expect(await find("/leads?from=2026-11-23&to=2026-11-24")).toEqual(["late", "early"]);
});

test("active filters are listed as links that each remove one", async () => {
  const { share, read } = await open();
  await share({ status: "won" });
  const html = await read("/leads?q=guest&status=won&source=direct");
  for (const rest of ["q=guest&amp;source=direct", "q=guest&amp;status=won"])
    expect(html).toContain(`href="/leads?${rest}"`);
  // Open, the choices would be above the list.
  expect(html).not.toMatch(/<details[^>]* open/);
});

test("the number of unread leads links to them, and due follow-ups are those of the owner's day", async () => {
  const { chooseTimeZone, share, find, read } = await open();
  await chooseTimeZone("Pacific/Auckland");
  await share({ id: "new" });
  // It is the 24th in Auckland.
  await share({ id: "due", read_at: noon, follow_up: "2026-11-24" });
  const link = /<a href="([^"]+)"[^>]*>1 unread</.exec(await read("/leads"))?.[1] ?? "";
  expect(await find(link)).toEqual(["new"]);
  expect(await find("/leads?show=due")).toEqual(["due"]);
  expect(await read("/leads?show=due")).toMatch(/aria-current="true"[^>]*>Follow-up</);
  expect(await read("/leads?show=planned")).toMatch(/Remove filter: <\/span><bdi[^>]*>Follow-up planned</);
  const csv = await read("/leads/export.csv?show=due");
  expect([csv.includes("Guest due"), csv.includes("Guest new")]).toEqual([true, false]);
});

test("pages follow each other without gaps, and what is done on a later one leads back to it with its filter", async () => {
  const { ada, shareMany, find, read } = await open();
  const names = Array.from({ length: 55 }, (_, n) => `Guest many-${n}`);
  await shareMany(names.map((name, n) => ({ name, created_at: noon + n, source: "qr" })));
  const older =
    /href="([^"]+)"[^>]*rel="next"/.exec(await read("/leads?source=qr"))?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect([...(await find("/leads?source=qr")), ...(await find(older))]).toEqual(
    Array.from({ length: 55 }, (_, n) => `many-${54 - n}`),
  );
  const page = await read(older);
  const back = fieldValue(page, "back").replaceAll("&amp;", "&");
  const tagged = await ada.post("/leads", { intent: "tag", tag: "Fair", id: "many-0", back });
  expect(tagged.headers.get("location")).toBe(older);
  const deleted = await ada.post("/leads", { intent: "delete", id: "many-0", back });
  expect(deleted.headers.get("location")).toMatch(/^\/leads\?source=qr&before=[^&]+&undo=\d+$/);
  const path = /href="(\/leads\/many-1\?[^"]+)"/.exec(page)?.[1] ?? "";
  expect(await read(path)).toContain(`href="${older.replaceAll("&", "&amp;")}"`);
  const saved = await ada.post(path, { ...emptyNotes, status: "won" });
  expect(saved.headers.get("location")).toBe(path);
  expect((await ada.post(path, { intent: "unread" })).headers.get("location")).toBe(older);
  expect((await ada.post(path, { intent: "delete" })).headers.get("location")).toMatch(/source=qr&before=[^&]+&undo=/);
  // Another page than the inbox is no list.
  expect(await read("/leads/many-2?list=//evil.example")).not.toMatch(/href="[^"]*evil/);
});
