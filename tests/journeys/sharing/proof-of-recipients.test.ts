import { describe, expect, test } from "vitest";

import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const page = "/leads/notifications";
const verify = (path: string) => `/account/verify?${new URLSearchParams({ returnTo: path })}`;

/** Everything that sends leads to somewhere new. `typed`: what its form has when the owner is back. */
const recipients = [
  {
    name: "a webhook",
    path: "/webhooks/new",
    back: "/webhooks/new",
    form: { url: "https://hooks.example.com/in?key=secret-part", "card.saved": "on" },
    typed: ['value="https://hooks.example.com/in?key=secret-part"', 'name="card.saved" checked=""', "Add webhook"],
    table: "webhook_endpoint",
    subject: undefined,
  },
  {
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
  },
  {
    name: "an address",
    path: page,
    back: `${page}#forwarding`,
    form: { intent: "add-forward", address: "secret-part@crm.example" },
    typed: ['value="secret-part@crm.example"', "Add address"],
    table: "lead_forward",
    subject: /^Confirm that you want leads from /,
  },
  {
    name: "a calendar address",
    path: page,
    back: `${page}#calendar`,
    form: { intent: "create-calendar" },
    typed: ["Create an address"],
    table: "calendar_feed",
    subject: "A secret calendar address was created",
  },
] as const;

async function open({ isStale = true } = {}) {
  const app = await createTestApp();
  const ada = await app.signedIn();
  await userIdOf(ada);
  const age = async () => {
    const old = { verifiedAt: Date.now() - 10 * 60_000 } as never;
    await app.services.db
      .updateTable("session" as "setting")
      .set(old)
      .execute();
  };
  if (isStale) await age();
  const count = async (table: (typeof recipients)[number]["table"]) =>
    (await app.services.db.selectFrom(table).select("owner_id").execute()).length;
  return { ...app, ada, age, count };
}

describe.each(recipients)("$name", ({ path, back, form, typed, table, subject }) => {
  test("is added after a new proof, and the form comes back as it was", async () => {
    const { ada, count, logLines, mails } = await open();
    const asked = await ada.post(path, form);
    expect(asked.headers.get("location")).toBe(verify(back));
    expect(await count(table)).toBe(0);
    const proved = await ada.post(verify(back), { password: ada.password });
    expect(proved.headers.get("location")).toBe(back);
    const html = await (await ada.get(path)).text();
    expect(["Confirmed. Press", ...typed].filter((text) => !html.includes(text))).toEqual([]);
    const again = await (await ada.get(path)).text();
    expect([again.includes("secret-part"), again.includes("Confirmed. ")]).toEqual([false, false]);
    const added = await ada.post(path, form);
    expect([200, 302]).toContain(added.status);
    expect(added.headers.get("location") ?? "").not.toContain("/account/verify");
    expect(await count(table)).toBe(1);
    expect(JSON.stringify(logLines)).not.toContain("secret-part");
    const subjects = (await mails()).map((mail) => mail.subject);
    if (subject) expect(subjects).toContainEqual(expect.stringMatching(subject));
  });

  test("is added at once by an owner who proved who they are a moment ago", async () => {
    const { ada, count } = await open({ isStale: false });
    await ada.post(path, form);
    expect(await count(table)).toBe(1);
  });
});

test("a form that was sent by script is kept as well", async () => {
  const { ada } = await open();
  const [, chat] = recipients;
  const asked = await ada.post(`${page}.data`, chat.form);
  expect(asked.status).toBe(202);
  expect(await asked.text()).toContain("/account/verify?returnTo=%2Fleads%2Fnotifications%23chat");
  await ada.post(verify(chat.back), { password: ada.password });
  expect(await (await ada.get(page)).text()).toContain("Confirmed. Press “Add chat” to finish.");
});

test("a webhook's other address comes back too, and the one from before gets the events meanwhile", async () => {
  const { ada, age, services } = await open({ isStale: false });
  const [{ path, form }] = recipients;
  await ada.post(path, form);
  const read = () => services.db.selectFrom("webhook_endpoint").select(["id", "url"]).executeTakeFirstOrThrow();
  const before = await read();
  const edit = `/webhooks/${before.id}/edit`;
  expect((await ada.get(edit)).status).toBe(200);
  await age();
  const asked = await ada.post(edit, { url: "https://crm.example.com/other", "plan.changed": "on" });
  expect(asked.headers.get("location")).toBe(verify(edit));
  expect(await read()).toEqual(before);
  await ada.post(verify(edit), { password: ada.password });
  const html = await (await ada.get(edit)).text();
  const expected = ['value="https://crm.example.com/other"', "Confirmed. Press “Save” to finish."];
  expect(expected.filter((text) => !html.includes(text))).toEqual([]);
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

test("no more of a form is carried than was understood, so that browsers and proxies accept the cookie", async () => {
  const { ada } = await open();
  const [, chat] = recipients;
  const asked = await ada.post(page, { ...chat.form, hour: `17.${"0".repeat(9_000)}` });
  expect(asked.headers.get("location")).toBe(verify(chat.back));
  expect(asked.headers.get("set-cookie")?.length).toBeLessThan(4_096);
});

test("a chat's time is changed, and a chat and an address removed, without a proof", async () => {
  const { ada, age, count } = await open({ isStale: false });
  const [, chat, forward, calendar] = recipients;
  for (const { path, form } of [chat, forward, calendar]) await ada.post(path, form);
  await age();
  const harmless: Record<string, string>[] = [
    { intent: "save-chat", url: "", timing: "now", hour: "8" },
    { intent: "remove-chat", url: "" },
    { intent: "revoke-calendar" },
  ];
  for (const form of harmless)
    expect((await ada.post(page, form)).headers.get("location")).toMatch(/^\/leads\/notifications#/);
  expect([await count("lead_notice"), await count("calendar_feed")]).toEqual([0, 0]);
});

test("an address that replaces a calendar's or a chat's asks again, and the ones from before stay", async () => {
  const { ada, age, services } = await open({ isStale: false });
  const [, chat, , calendar] = recipients;
  for (const { path, form } of [chat, calendar]) await ada.post(path, form);
  const read = async () => [
    await services.db.selectFrom("calendar_feed").selectAll().execute(),
    await services.db.selectFrom("lead_notice").select("address").execute(),
  ];
  const before = await read();
  await age();
  for (const { path, form, back } of [chat, calendar])
    expect((await ada.post(path, form)).headers.get("location")).toBe(verify(back));
  expect(await read()).toEqual(before);
});

test("what was typed is filled in for its owner alone, and only for ten minutes", async () => {
  const time = { now: Date.now() };
  const app = await createTestApp({ clock: () => time.now });
  const [ada, eve] = [await app.signedIn(), await app.signedIn("eve@example.com")];
  await app.services.db
    .updateTable("session" as "setting")
    .set({ verifiedAt: 0 } as never)
    .execute();
  const [, , { form }] = recipients;
  await ada.post(page, form);
  const typed = ada.cookies.get("meishi.typed") ?? "";
  expect(typed).not.toBe("");
  eve.cookies.set("meishi.typed", typed);
  expect(await (await eve.get(page)).text()).not.toContain("secret-part");
  ada.cookies.set("meishi.typed", `${typed}x`);
  expect(await (await ada.get(page)).text()).not.toContain("secret-part");
  ada.cookies.set("meishi.typed", typed);
  time.now += 10 * 60_000;
  expect(await (await ada.get(page)).text()).not.toContain("secret-part");
  time.now -= 60_000;
  const html = await (await ada.get(page)).text();
  expect(html).toContain("secret-part");
  // They pressed "Not now".
  expect(html).not.toContain("Confirmed.");
});
