import type { ServerResponse } from "node:http";

import { describe, expect, test } from "vitest";

import { saveChat } from "#app/features/lead-notices/chat/chat-data.server.ts";
import { insertLead, servicesText } from "#tests/support/database/leads.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { openChatServer } from "#tests/support/providers/chat-server.ts";

const minute = 60_000;
const hour = 60 * minute;
const slack = "https://hooks.slack.com/services/T000/B000/abcdefgh";

type OpenOptions = { isReachable?: boolean; timing?: "now" | "daily" };

async function open({ isReachable = true, timing = "now" }: OpenOptions = {}) {
  const chat = await openChatServer();
  const time = { now: Date.UTC(2026, 10, 23, 11) };
  const allowedOrigins = isReachable ? [chat.origin] : [];
  const app = await createTestApp({ clock: () => time.now, allowedOrigins });
  const ada = await app.signedIn();
  const ownerId = await userIdOf(ada);
  const { jobs } = app.services;
  await ada.post("/leads/notifications", { intent: "mail", timing: "off", hour: "8" });
  const origin = { headers: new Headers() };
  await saveChat(app.services, { ownerId, url: chat.url, timing, hour: 12, origin });
  let count = 0;
  const share = async (lead: Parameters<typeof insertLead>[1]["lead"] = {}, text = servicesText) => {
    const id = `lead-${++count}`;
    await insertLead(app.services, { id, ownerId, now: time.now, lead: { name: `Guest ${count}`, ...lead }, text });
    await jobs.runDue();
  };
  const wait = async (ms: number) => {
    time.now += ms;
    await jobs.runDue();
  };
  const settings = async () => (await ada.get("/leads/notifications")).text();
  const texts = () => chat.messages.map(({ text }) => text);
  const close = () => chat[Symbol.asyncDispose]();
  return { ...app, chat, ada, ownerId, time, share, wait, settings, texts, [Symbol.asyncDispose]: close };
}

const status =
  (code: number, body = "", headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end(body);

test("a lead is a message at once, with details that can't command the chat", async () => {
  await using site = await open();
  await site.share({ name: "Grace <!here>", email: "grace@example.com", note: "@channel [x](https://evil.example)" });
  expect(site.chat.messages).toHaveLength(1);
  expect(site.chat.messages[0]?.type).toBe("application/json; charset=utf-8");
  const [text = ""] = site.texts();
  expect(text).toContain("New lead: Grace &lt;!here&gt;\ngrace@example.com\n");
  expect(text).not.toMatch(/<!|@channel|\]\(/);
  expect(text).toContain("/leads/lead-1|Open the lead>");
  expect(await site.settings()).toContain("Last sent Nov 23, 2026, 11:00 UTC");
});

test("a visitor who agreed that only the owner gets their details isn't named", async () => {
  await using site = await open();
  const before =
    "My details go only to Ada, and are deleted after 24 months at the latest. I can withdraw my consent at any time.";
  await site.share({ name: "Grace", note: "Secret" }, before);
  const [text = ""] = site.texts();
  expect(text).toContain("New lead: ");
  expect(text).not.toMatch(/Grace|Secret/);
});

test("leads of the same minute come together, spam and withdrawn ones don't", async () => {
  await using site = await open();
  await site.share();
  for (const lead of [{}, {}, { quarantined_at: 1 }]) await site.share(lead);
  await site.services.db.updateTable("lead").set({ withdrawn_at: 1 }).where("id", "=", "lead-3").execute();
  await site.share();
  expect(site.chat.messages).toHaveLength(1);
  await site.wait(minute);
  expect(site.texts()[1]).toMatch(/^2 new leads\n• Guest 2 <.+\|Open>\n• Guest 5 </);
});

test("a paper card that the owner scanned is a message too: others read the channel", async () => {
  await using site = await open();
  await site.share({ source: "scan" });
  expect(site.texts()).toHaveLength(1);
});

test("a daily summary is one message at its hour", async () => {
  await using site = await open({ timing: "daily" });
  await site.share();
  await site.share();
  expect(site.texts()).toEqual([]);
  await site.wait(hour);
  expect(site.texts()).toHaveLength(1);
  await site.wait(48 * hour);
  expect(site.texts()).toHaveLength(1);
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

  test("is gone isn't asked again for this lead, and its owner reads why", async () => {
    await using site = await open();
    site.chat.answerNext(status(404, "no_service"));
    await site.share();
    await site.wait(48 * hour);
    expect(site.texts()).toHaveLength(1);
    expect(await site.settings()).toContain("The chat answered 404: no_service");
  });

  test("repeats what it gets leaves nothing of a lead in the log, the job and the settings", async () => {
    await using site = await open();
    const note = "Called Wednesday";
    site.chat.answerNext(
      (response) => void response.writeHead(503).end(site.texts().at(-1)),
      (response) => void response.writeHead(400).end(site.texts().at(-1)),
    );
    await site.share({ name: "Grace Hopper", note });
    const stored = async () =>
      JSON.stringify([
        site.logLines,
        await site.services.db.selectFrom("job").selectAll().execute(),
        await site.services.db.selectFrom("lead_notice").selectAll().execute(),
      ]);
    expect(await site.settings()).toContain("The chat answered 503.");
    expect(await stored()).not.toMatch(/Grace|Wednesday/);
    await site.wait(hour);
    expect(await site.settings()).toContain("The chat answered 400.");
    expect(await stored()).not.toMatch(/Grace|Wednesday/);
  });

  test("redirects elsewhere isn't followed", async () => {
    await using site = await open();
    site.chat.answerNext(status(302, "", { location: `${site.chat.origin}/private` }));
    await site.share();
    await site.wait(hour);
    expect(site.chat.messages.map(({ path }) => path)).toEqual(["/services/T1/B1/secretsecret"]);
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
    expect(await site.settings()).toContain("The address isn&#x27;t a public https address.");
  });
});

describe("the settings", () => {
  test("show a test's answer", async () => {
    await using site = await open();
    const press = async () => (await site.ada.post("/leads/notifications", { intent: "test-chat", url: "" })).text();
    expect(await press()).toContain("The chat accepted the message.");
    expect(site.texts()[0]).toContain("A test from Meishi");
    site.chat.answerNext(status(400, "invalid_payload <b>"));
    expect(await press()).toContain("The chat answered 400: invalid_payload &lt;b&gt;");
    for (let n = 0; n < 8; n++) await press();
    expect(await press()).toContain("Too many test messages.");
  });

  test("never show the address again, which is stored encrypted and not logged", async () => {
    await using site = await open();
    const saved = await site.ada.post("/leads/notifications", {
      intent: "save-chat",
      url: slack,
      timing: "daily",
      hour: "9",
    });
    expect(saved.status).toBe(302);
    const page = await site.settings();
    expect(page).toContain("hooks.slack.com/…efgh");
    const stored = JSON.stringify(await site.services.db.selectFrom("lead_notice").selectAll().execute());
    const exported = await site.services.dataExports
      .flatMap(({ sections }) => Object.entries(sections({ ...site.services, ownerId: site.ownerId } as never)))
      .find(([name]) => name === "leadNotices")?.[1]();
    for (const text of [page, stored, JSON.stringify(site.logLines), JSON.stringify(exported)])
      expect(text).not.toContain("abcdefgh");
  });

  test("tell the owner of another address by email, in case it wasn't them, and of a few an hour", async () => {
    await using site = await open();
    const save = (url: string) =>
      site.ada.post("/leads/notifications", { intent: "save-chat", url, timing: "daily", hour: "9" });
    const mailed = async () => {
      await site.services.jobs.runDue();
      return (await site.mails()).filter(({ subject }) => subject === "New leads are sent to a chat");
    };
    const before = (await mailed()).length;
    await save(slack);
    await save("");
    const mails = await mailed();
    expect(mails).toHaveLength(before + 1);
    expect(mails.at(0)?.text).toContain("hooks.slack.com");
    for (const mail of mails) expect(`${mail.text} ${mail.html}`).not.toContain("abcdefgh");
    for (let n = 0; n < 30; n++) await save(slack);
    const refused = await save(slack);
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain("Too many changes.");
    expect((await mailed()).length).toBeLessThan(25);
  });

  test("keep the address when only the time is changed, and replace it", async () => {
    await using site = await open();
    await site.ada.post("/leads/notifications", { intent: "save-chat", url: "", timing: "daily", hour: "9" });
    await site.share();
    await site.ada.post("/leads/notifications", { intent: "save-chat", url: "", timing: "now", hour: "9" });
    await site.wait(0);
    expect(site.texts()).toHaveLength(1);
  });

  test("end with one press, for leads that wait too", async () => {
    await using site = await open({ timing: "daily" });
    await site.share();
    await site.ada.post("/leads/notifications", { intent: "remove-chat", url: "", timing: "now", hour: "9" });
    await site.share();
    await site.wait(48 * hour);
    expect(site.texts()).toEqual([]);
    const log = await (await site.ada.get("/account/security-log")).text();
    expect(log).toContain("Added a chat that gets new leads");
    expect(log).toContain("Removed a chat that gets new leads");
  });

  test("of a deleted account send nothing more", async () => {
    await using site = await open({ timing: "daily" });
    await site.share();
    const { deleteAccount } = await import("#app/features/account/settings/account-deletion-data.server.ts");
    await deleteAccount(site.services, { ownerId: site.ownerId, feedback: "" });
    await site.wait(48 * hour);
    expect(site.texts()).toEqual([]);
  });

  test.each([
    ["", "Paste the address of an incoming webhook."],
    ["hooks.slack.com", "Paste the full address"],
    ["http://hooks.slack.com/services/x", "The address must start with https://."],
    ["ftp://hooks.slack.com/x", "Paste the full address"],
    ["https://hooks.slack.com:8443/x", "have a port"],
    ["https://ada:secret@hooks.slack.com/x", "have a port"],
    ["https://10.0.0.1/services/x", "This address isn&#x27;t on the internet."],
    ["https://localhost/services/x", "This address isn&#x27;t on the internet."],
    [`https://hooks.slack.com/${"x".repeat(500)}`, "Paste the full address"],
  ])("refuse %j next to the field, with what was typed", async (url, message) => {
    await using site = await open();
    await site.ada.post("/leads/notifications", { intent: "remove-chat" });
    const response = await site.ada.post("/leads/notifications", {
      intent: "save-chat",
      url,
      timing: "now",
      hour: "8",
    });
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(html).toContain(message);
    expect(html).toContain(`value="${url}"`);
  });
});
