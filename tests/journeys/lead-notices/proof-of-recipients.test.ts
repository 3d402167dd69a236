import { describe, expect, test } from "vitest";

import { minute, openOwner } from "#tests/journeys/leads/lead-owner.ts";
import { textWith } from "#tests/support/app/responses.ts";
import { changeAll } from "#tests/support/database/account-rows.ts";

const page = "/leads/notifications";
const verify = (path: string) => `/account/verify?${new URLSearchParams({ returnTo: path })}`;

const webhook = {
  name: "a webhook",
  path: "/webhooks/new",
  back: "/webhooks/new",
  form: { url: "https://hooks.example.com/in?key=secret-part", "card.saved": "on" },
  /** What its form has when the owner is back. */
  typed: ['value="https://hooks.example.com/in?key=secret-part"', 'name="card.saved" checked=""', "Add webhook"],
  table: "webhook_endpoint",
  subject: undefined,
} as const;
const chat = {
  name: "a chat",
  path: page,
  back: `${page}#chat`,
  form: { intent: "save-chat", url: "https://hooks.slack.com/services/secret-part", timing: "daily", hour: "17" },
  typed: [
    'value="https://hooks.slack.com/services/secret-part"',
    'name="timing" checked="" value="daily"',
    'value="17" selected=""',
    "Add chat",
  ],
  table: "lead_notice",
  subject: "New leads are sent to a chat",
} as const;
const forward = {
  name: "an address",
  path: page,
  back: `${page}#forwarding`,
  form: { intent: "add-forward", address: "secret-part@crm.example" },
  typed: ['value="secret-part@crm.example"', "Add address"],
  table: "lead_forward",
  subject: /^Confirm that you want leads from /,
} as const;
const calendar = {
  name: "a calendar address",
  path: page,
  back: `${page}#calendar`,
  form: { intent: "create-calendar" },
  typed: ["Create an address"],
  table: "calendar_feed",
  subject: "A secret calendar address was created",
} as const;

type Recipient = typeof webhook | typeof chat | typeof forward | typeof calendar;

async function open({ isStale = true } = {}) {
  const owner = await openOwner();
  const { ada, services } = owner;
  const age = () => changeAll(services, "session", { verifiedAt: 0 });
  if (isStale) await age();
  const add = ({ path, form }: Recipient) => ada.post(path, form);
  const prove = (back: string) => ada.post(verify(back), { password: ada.password });
  const rows = (table: Recipient["table"]) => services.db.selectFrom(table).selectAll().execute();
  return { ...owner, age, add, prove, rows };
}

/** Everything that sends leads to somewhere new. */
describe.each([webhook, chat, forward, calendar])("$name", (recipient) => {
  const { path, back, typed, table, subject } = recipient;

  test("is added after a new proof, and the form comes back as it was", async () => {
    const { add, prove, rows, read, logLines, mails } = await open();
    expect((await add(recipient)).headers.get("location")).toBe(verify(back));
    expect(await rows(table)).toEqual([]);
    expect((await prove(back)).headers.get("location")).toBe(back);
    const html = await read(path);
    expect(["Confirmed. Press", ...typed].filter((text) => !html.includes(text))).toEqual([]);
    expect(await read(path)).not.toMatch(/secret-part|Confirmed\. /);
    const added = await add(recipient);
    expect([200, 302]).toContain(added.status);
    expect(added.headers.get("location") ?? "").not.toContain("/account/verify");
    expect(await rows(table)).toHaveLength(1);
    expect(JSON.stringify(logLines)).not.toContain("secret-part");
    const subjects = (await mails()).map((mail) => mail.subject);
    if (subject) expect(subjects).toContainEqual(expect.stringMatching(subject));
  });

  test("is added at once by an owner who proved who they are a moment ago", async () => {
    const { add, rows } = await open({ isStale: false });
    await add(recipient);
    expect(await rows(table)).toHaveLength(1);
  });
});

test("a form that was sent by script is kept as well, and no more of one than browsers and proxies accept", async () => {
  const { ada, prove, read } = await open();
  expect(await textWith(202, await ada.post(`${page}.data`, chat.form))).toContain(
    "/account/verify?returnTo=%2Fleads%2Fnotifications%23chat",
  );
  const long = await ada.post(page, { ...chat.form, hour: `17.${"0".repeat(9_000)}` });
  expect(long.headers.get("location")).toBe(verify(chat.back));
  expect(long.headers.get("set-cookie")?.length).toBeLessThan(4_096);
  await prove(chat.back);
  expect(await read(page)).toContain("Confirmed. Press “Add chat” to finish.");
});

test("a webhook's other address comes back too, and the one from before gets the events meanwhile", async () => {
  const { ada, age, add, prove, rows, read } = await open({ isStale: false });
  await add(webhook);
  const before = await rows(webhook.table);
  const edit = `/webhooks/${before.map((row) => ("id" in row ? row.id : "")).join()}/edit`;
  expect((await ada.get(edit)).status).toBe(200);
  await age();
  const asked = await ada.post(edit, { url: "https://crm.example.com/other", "plan.changed": "on" });
  expect(asked.headers.get("location")).toBe(verify(edit));
  expect(await rows(webhook.table)).toEqual(before);
  await prove(edit);
  const html = await read(edit);
  for (const text of ['value="https://crm.example.com/other"', "Confirmed. Press “Save” to finish."])
    expect(html).toContain(text);
});

test("an invalid address is refused before the proof, and nothing waits", async () => {
  const { ada } = await open();
  const typed = { url: "http://hooks.example.com/", "card.saved": "on", timing: "now", hour: "8", address: "nowhere" };
  for (const [path, intent] of [
    ["/webhooks/new", ""],
    [page, "save-chat"],
    [page, "add-forward"],
  ] as const) {
    const refused = await ada.post(path, { ...typed, intent });
    expect(refused.status, intent).toBe(400);
    expect(refused.headers.get("set-cookie"), intent).toBeNull();
  }
});

test("a chat's time is changed, and a chat and a calendar removed, without a proof", async () => {
  const { ada, age, add, rows } = await open({ isStale: false });
  for (const recipient of [chat, calendar]) await add(recipient);
  await age();
  const harmless: Record<string, string>[] = [
    { intent: "save-chat", url: "", timing: "now", hour: "8" },
    { intent: "remove-chat", url: "" },
    { intent: "revoke-calendar" },
  ];
  for (const form of harmless)
    expect((await ada.post(page, form)).headers.get("location")).toMatch(/^\/leads\/notifications#/);
  expect([await rows("lead_notice"), await rows("calendar_feed")]).toEqual([[], []]);
});

test("an address that replaces a calendar's or a chat's asks again, and the ones from before stay", async () => {
  const { age, add, rows } = await open({ isStale: false });
  for (const recipient of [chat, calendar]) await add(recipient);
  const before = [await rows("calendar_feed"), await rows("lead_notice")];
  await age();
  for (const recipient of [chat, calendar])
    expect((await add(recipient)).headers.get("location")).toBe(verify(recipient.back));
  expect([await rows("calendar_feed"), await rows("lead_notice")]).toEqual(before);
});

test("what was typed is filled in for its owner alone, and only for ten minutes", async () => {
  const { ada, add, time, read, signedIn } = await open();
  const eve = await signedIn("eve@example.com");
  await add(forward);
  const typed = ada.cookies.get("meishi.typed") ?? "";
  expect(typed).not.toBe("");
  const readWith = (cookie: string, visitor = ada) => {
    visitor.cookies.set("meishi.typed", cookie);
    return read(page, visitor);
  };
  expect(await readWith(typed, eve)).not.toContain("secret-part");
  expect(await readWith(`${typed}x`)).not.toContain("secret-part");
  time.now += 10 * minute;
  expect(await readWith(typed)).not.toContain("secret-part");
  time.now -= minute;
  const html = await readWith(typed);
  expect(html).toContain("secret-part");
  // They pressed "Not now".
  expect(html).not.toContain("Confirmed.");
});
