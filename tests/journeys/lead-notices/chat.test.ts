import type { ServerResponse } from "node:http";

import { describe, expect, test } from "vitest";

import { saveChat } from "#app/features/lead-notices/chat/chat-data.server.ts";
import { hour, minute, openOwner } from "#tests/journeys/leads/lead-owner.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { textWith } from "#tests/support/app/responses.ts";
import { insertLead, servicesText } from "#tests/support/database/leads.ts";
import { openChatServer } from "#tests/support/providers/chat-server.ts";

const slack = "https://hooks.slack.com/services/T000/B000/abcdefgh";
const origin = { headers: new Headers() };

type OpenOptions = { isReachable?: boolean; timing?: "now" | "daily" };

async function open({ isReachable = true, timing = "now" }: OpenOptions = {}) {
  const chat = await openChatServer();
  const owner = await openOwner({ allowedOrigins: isReachable ? [chat.origin] : [] });
  const { ada, ownerId, services } = owner;
  const post = (form: Record<string, string>) => ada.post("/leads/notifications", { hour: "8", ...form });
  const save = (url: string, when = "now") => post({ intent: "save-chat", url, timing: when });
  await post({ intent: "mail", timing: "off" });
  await saveChat(services, { ownerId, url: chat.url, timing, hour: 12, origin });
  const share = async (lead: Parameters<typeof owner.share>[0] = {}, text = servicesText) => {
    await owner.share(lead, text);
    await services.jobs.runDue();
  };
  const settings = () => owner.read("/leads/notifications");
  const texts = () => chat.messages.map(({ text }) => text);
  const close = () => chat[Symbol.asyncDispose]();
  return { ...owner, chat, post, save, share, settings, texts, [Symbol.asyncDispose]: close };
}

const status =
  (code: number, body = "", headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end(body);

test("a lead is a message at once, with details that can't command the chat", async () => {
  await using site = await open();
  await site.share({ name: "Grace <!here>", email: "grace@example.com", note: "@channel [x](https://evil.example)" });
  expect(site.chat.messages).toMatchObject([{ type: "application/json; charset=utf-8" }]);
  const [text = ""] = site.texts();
  expect(text).toContain("New lead: Grace &lt;!here&gt;\ngrace@example.com\n");
  expect(text).not.toMatch(/<!|@channel|\]\(/);
  expect(text).toContain("/leads/lead-1|Open the lead>");
  expect(await site.settings()).toContain("Last sent Nov 23, 2026, 11:00 UTC");
});

test("a visitor who agreed that only the owner gets their details isn't named", async () => {
  await using site = await open();
  await site.share({ name: "Grace", note: "Secret" }, "My details go only to Ada. I can withdraw my consent.");
  const [text = ""] = site.texts();
  expect(text).toContain("New lead: ");
  expect(text).not.toMatch(/Grace|Secret/);
});

test("leads of the same minute come together, scanned ones too, but no spam and no withdrawn ones", async () => {
  await using site = await open();
  // Others read the channel: what the owner scanned is news to them.
  await site.share({ source: "scan" });
  for (const lead of [{}, {}, { quarantined_at: 1 }]) await site.share(lead);
  await site.services.db.updateTable("lead").set({ withdrawn_at: 1 }).where("id", "=", "lead-3").execute();
  await site.share();
  expect(site.chat.messages).toHaveLength(1);
  await site.wait(minute);
  expect(site.texts()[1]).toMatch(/^2 new leads\n• Guest lead-2 <.+\|Open>\n• Guest lead-5 </);
});

test("chats that never answer don't make mails wait", async () => {
  await using chat = await openChatServer();
  const { services, signedIn } = await openOwner({ allowedOrigins: [chat.origin] });
  chat.answerNext(...Array.from({ length: 5 }, () => () => undefined));
  for (let n = 0; n < 5; n++) {
    const ownerId = await userIdOf(await signedIn(`owner-${n}@example.com`));
    await saveChat(services, { ownerId, url: chat.url, timing: "now", hour: 12, origin });
    await insertLead(services, { id: ownerId, ownerId, now: services.clock(), lead: {}, text: servicesText });
  }
  services.jobs.start();
  await expect.poll(() => chat.messages).toHaveLength(2);
  await services.jobs.enqueue(services.db, "mail", { to: "grace@example.com", subject: "Your code", text: "123456" });
  const recipients = async () => (await services.mail.listStored()).map(({ to }) => to);
  await expect.poll(recipients).toContain("grace@example.com");
});

describe("a chat that", () => {
  test("asks to wait gets the message then, and once", async () => {
    await using site = await open();
    site.chat.answerNext(status(429, "rate_limited", { "retry-after": "300" }));
    await site.share();
    await site.wait(4 * minute);
    expect(site.texts()).toHaveLength(1);
    expect(await site.settings()).toContain("The chat answered 429: rate_limited");
    await site.wait(minute);
    expect(site.texts()).toHaveLength(2);
    expect(await site.settings()).not.toContain("The chat answered");
    await site.wait(24 * hour);
    expect(site.texts()).toHaveLength(2);
  });

  test("is down gets the message later, with the leads that came in meanwhile", async () => {
    await using site = await open();
    site.chat.answerNext(status(503), (response) => void response.destroy());
    await site.share();
    await site.share();
    await site.wait(minute);
    expect(await site.settings()).toContain("The chat closed the connection.");
    await site.wait(hour);
    expect(site.texts().at(-1)).toContain("2 new leads");
    expect(site.texts()).toHaveLength(3);
  });

  test("repeats what it gets leaves nothing of a lead in the log, the job and the settings", async () => {
    await using site = await open();
    const repeat = (code: number) => (response: ServerResponse) =>
      void response.writeHead(code).end(site.texts().at(-1));
    site.chat.answerNext(repeat(503), repeat(400));
    await site.share({ name: "Grace Hopper", note: "Called Wednesday" });
    for (const code of [503, 400]) {
      expect(await site.settings()).toContain(`The chat answered ${code}.`);
      const { db } = site.services;
      const stored = [
        await db.selectFrom("job").selectAll().execute(),
        await db.selectFrom("lead_notice").selectAll().execute(),
      ];
      expect(JSON.stringify([site.logLines, stored])).not.toMatch(/Grace|Wednesday/);
      await site.wait(hour);
    }
  });

  test("redirects elsewhere isn't followed, nor asked again for this lead, and its owner reads why", async () => {
    await using site = await open();
    site.chat.answerNext(status(302, "no_service", { location: `${site.chat.origin}/private` }));
    await site.share();
    await site.wait(48 * hour);
    expect(site.chat.messages.map(({ path }) => path)).toEqual(["/services/T1/B1/secretsecret"]);
    expect(await site.settings()).toContain("The chat answered 302: no_service");
  });

  test("answers without an end is cut off", async () => {
    await using site = await open();
    site.chat.answerNext((response) => {
      const chunk = Buffer.alloc(65_536, "x");
      const write = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", write);
      write();
    });
    await site.share();
    expect(site.texts()).toHaveLength(1);
    expect(await site.settings()).toContain("Last sent");
  });

  test("is on a private network gets nothing", async () => {
    await using site = await open({ isReachable: false });
    await site.share();
    expect(site.texts()).toEqual([]);
    expect(await site.settings()).toContain("The address isn’t a public https address.");
  });
});

describe("the settings", () => {
  test("show a test's answer", async () => {
    await using site = await open();
    const press = async () => (await site.post({ intent: "test-chat", url: "" })).text();
    expect(await press()).toContain("The chat accepted the message.");
    expect(site.texts()[0]).toContain("A test from Meishi");
    site.chat.answerNext(status(400, "invalid_payload <b>"));
    expect(await press()).toContain("The chat answered 400: invalid_payload &lt;b&gt;");
    for (let n = 0; n < 8; n++) await press();
    expect(await press()).toContain("Too many test messages.");
  });

  test("tell the owner of another address by email, never show it again, and store it encrypted and not in the log", async () => {
    await using site = await open();
    const { services, ownerId } = site;
    const mailed = async () => (await site.mails()).filter(({ subject }) => subject === "New leads are sent to a chat");
    const before = (await mailed()).length;
    expect((await site.save(slack, "daily")).status).toBe(302);
    await site.save("", "daily");
    const page = await site.settings();
    expect(page).toContain("hooks.slack.com/…efgh");
    const mails = await mailed();
    expect(mails).toHaveLength(before + 1);
    expect(mails.at(0)?.text).toContain("hooks.slack.com");
    const stored = await services.db.selectFrom("lead_notice").selectAll().execute();
    const exported = await services.dataExports
      .flatMap(({ sections }) => Object.entries(sections({ ...services, ownerId } as never)))
      .find(([name]) => name === "leadNotices")?.[1]();
    for (const output of [page, stored, site.logLines, exported, mails])
      expect(JSON.stringify(output)).not.toContain("abcdefgh");
    for (let n = 0; n < 30; n++) await site.save(slack);
    const refused = await site.save(slack);
    expect([refused.status, (await refused.text()).includes("Too many changes.")]).toEqual([429, true]);
    expect((await mailed()).length).toBeLessThan(25);
  });

  test("keep the address when only the time is changed, and end with one press, for leads that wait too", async () => {
    await using site = await open({ timing: "daily" });
    await site.share();
    await site.share();
    await site.wait(hour);
    expect(site.texts()).toHaveLength(1);
    await site.share();
    await site.save("", "now");
    await site.wait(minute);
    expect(site.texts()).toHaveLength(2);
    await site.save("", "daily");
    await site.share();
    await site.post({ intent: "remove-chat", url: "", timing: "now" });
    await site.share();
    await site.wait(48 * hour);
    expect(site.texts()).toHaveLength(2);
    const log = await site.read("/account/security-log");
    for (const line of ["Added a chat that gets new leads", "Removed a chat that gets new leads"])
      expect(log).toContain(line);
  });

  test("refuse an address that isn't one of a chat next to the field, with what was typed", async () => {
    await using site = await open();
    await site.post({ intent: "remove-chat" });
    for (const [url, message] of [
      ["", "Paste the address of an incoming webhook."],
      ["hooks.slack.com", "Paste the full address"],
      ["http://hooks.slack.com/services/x", "The address must start with https://."],
      ["https://hooks.slack.com:8443/x", "have a port"],
      ["https://ada:secret@hooks.slack.com/x", "have a port"],
      ["https://10.0.0.1/services/x", "This address isn’t on the internet."],
      [`https://hooks.slack.com/${"x".repeat(500)}`, "Paste the full address"],
    ] as const) {
      const html = await textWith(400, await site.save(url), url);
      for (const text of [message, `value="${url}"`]) expect(html).toContain(text);
    }
  });
});
