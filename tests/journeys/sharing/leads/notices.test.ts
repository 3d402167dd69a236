import PostalMime from "postal-mime";
import { expect, test } from "vitest";

import { insertLead } from "#tests/support/database/leads.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { openSmtpServer } from "#tests/support/app/smtp-server.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

import { openLeadForm } from "./shared-contacts.ts";

const minute = 60_000;
const hour = 60 * minute;

async function open(env: Record<string, string> = {}) {
  const time = { now: Date.UTC(2026, 10, 23, 11) };
  const app = await createTestApp({ clock: () => time.now, env });
  const ada = await app.signedIn();
  const ownerId = await userIdOf(ada);
  let count = 0;
  const share = async (lead: Parameters<typeof insertLead>[1]["lead"] = {}) => {
    await insertLead(app.services, { id: `lead-${++count}`, ownerId, now: time.now, lead });
    await app.services.jobs.runDue();
  };
  const subjects = async () => {
    const mails = await app.mails();
    return mails.filter(({ to }) => to === ada.email).map(({ subject }) => subject);
  };
  const wait = async (ms: number) => {
    time.now += ms;
    await app.services.jobs.runDue();
  };
  return { ...app, ada, ownerId, time, share, subjects, wait };
}

const choose = (timing: string, atHour = "8") => ({ intent: "mail", timing, hour: atHour });

test("an owner who never opened the settings gets one mail with the name and a link, and none of the details", async () => {
  const { grace, path, fill, services, mails, ada, leads } = await openLeadForm();
  await grace.post(`${path}/connect`, await fill());
  await services.jobs.runDue();
  const [mail, ...others] = (await mails()).filter(({ to }) => to === ada.email);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe("New lead: Grace Hopper");
  const [lead] = await leads();
  expect(mail?.text).toContain(`/leads/${lead?.id}`);
  for (const content of [mail?.text, mail?.html])
    for (const detail of ["grace@example.com", "Nice to meet you", "At the fair"])
      expect(content).not.toContain(detail);
});

test("leads in the ten minutes after a mail come together in the next one", async () => {
  const { share, subjects, wait, mails } = await open();
  await share({ name: "Grace Hopper" });
  expect(await subjects()).toEqual(["New lead: Grace Hopper"]);
  for (const name of ["Alan Turing", "Win at evil.example", "Mary Shaw"]) await share({ name });
  await wait(9 * minute);
  expect(await subjects()).toHaveLength(1);
  await wait(minute);
  expect(await subjects()).toEqual(["You have 3 new leads", "New lead: Grace Hopper"]);
  const [mail] = await mails();
  expect(mail?.text).toContain("Alan Turing, a visitor without a name and Mary Shaw shared their contact with you.");
  await wait(hour);
  expect(await subjects()).toHaveLength(2);
});

test("a daily summary comes at the chosen hour of the owner's time zone, and not without leads", async () => {
  const { ada, share, subjects, wait } = await open();
  await ada.post("/account/preferences", { mailsSignIns: "on", locale: "", timeZone: "Asia/Tokyo" });
  await ada.post("/leads/notifications", choose("daily", "21"));
  await share({ name: "Grace" });
  await share({ name: "Alan" });
  // 20:59 in Tokyo.
  await wait(59 * minute);
  expect(await subjects()).toEqual([]);
  await wait(minute);
  expect(await subjects()).toEqual(["You have 2 new leads"]);
  await wait(48 * hour);
  expect(await subjects()).toHaveLength(1);
});

test("nothing is mailed once it is off, not even of leads that were waiting", async () => {
  const { ada, share, subjects, wait } = await open();
  await ada.post("/leads/notifications", choose("daily"));
  await share();
  await ada.post("/leads/notifications", choose("off"));
  await share();
  await wait(48 * hour);
  expect(await subjects()).toEqual([]);
});

test("leads that wait come at once when the owner chooses so, and once", async () => {
  const { ada, share, subjects, wait } = await open();
  await ada.post("/leads/notifications", choose("daily"));
  await share({ name: "Grace" });
  await ada.post("/leads/notifications", choose("now"));
  expect(await subjects()).toEqual(["New lead: Grace"]);
  await wait(48 * hour);
  expect(await subjects()).toHaveLength(1);
});

test("suspected spam is announced when its owner accepts it, and what they scanned or typed themselves isn't", async () => {
  const { ada, share, subjects } = await open();
  await share({ name: "Spam", quarantined_at: 1 });
  await share({ name: "Paper", source: "scan" });
  await share({ name: "Typed", source: "hand" });
  expect(await subjects()).toEqual([]);
  await ada.post("/leads", { intent: "not-spam", id: "lead-1", back: "" });
  expect(await subjects()).toEqual(["New lead: Spam"]);
});

test.each([
  ["withdrawn", { withdrawn_at: 1, name: "" }],
  ["deleted", { deleted_at: 1 }],
  ["suspected", { quarantined_at: 1 }],
])("a lead that was %s before the mail isn't in it", async (_, change) => {
  const { services, ada, share, subjects, wait } = await open();
  await ada.post("/leads/notifications", choose("daily"));
  await share({ name: "Grace" });
  await share({ name: "Alan" });
  await services.db.updateTable("lead").set(change).where("id", "=", "lead-1").execute();
  await wait(24 * hour);
  expect(await subjects()).toEqual(["New lead: Alan"]);
});

test("what came in while the mail server was away is one mail when it is back", async () => {
  const smtp = await openSmtpServer();
  const { share, wait } = await open({ SMTP_URL: smtp.url, MAIL_FROM: "Meishi <m@example.com>" });
  await smtp[Symbol.asyncDispose]();
  await share({ name: "Grace" });
  await share({ name: "Alan" });
  await using back = await openSmtpServer(Number(new URL(smtp.url).port));
  await wait(hour);
  const mails = await Promise.all(back.received.map((raw) => PostalMime.parse(raw)));
  expect(mails.map(({ subject }) => subject)).toEqual(["You have 2 new leads"]);
});

test("a deleted account gets no mail of leads that waited, and leaves nothing", async () => {
  const { ada, ownerId, share, subjects, wait, services } = await open();
  await ada.post("/leads/notifications", choose("daily"));
  await share();
  const { deleteAccount } = await import("#app/features/account/settings/account-deletion-data.server.ts");
  await deleteAccount(services, { ownerId, feedback: "" });
  await wait(48 * hour);
  expect(await subjects()).toEqual(["Your account was deleted"]);
  for (const table of ["lead_notice", "lead_in_notice"] as const)
    expect(await services.db.selectFrom(table).selectAll().execute()).toEqual([]);
});

test("a blocked account gets none", async () => {
  const { ownerId, share, subjects, services } = await open();
  await services.db.insertInto("account_block").values({ owner_id: ownerId, reason: "", created_at: 1 }).execute();
  await share();
  expect(await subjects()).toEqual([]);
});

test("settings that the page doesn't offer are refused", async () => {
  const { ada } = await open();
  for (const wrong of [choose("hourly"), choose("daily", "24"), choose("daily", "x"), { intent: "none" }])
    expect((await ada.post("/leads/notifications", wrong)).status).toBe(400);
  expect(await (await ada.get("/leads/notifications")).text()).toContain('checked="" value="now"');
});

test("mail programs and people turn the mails off without signing in", async () => {
  const smtp = await openSmtpServer();
  await using server = smtp;
  const { share, visitor, services, time, app } = await open({ SMTP_URL: server.url, MAIL_FROM: "m@example.com" });
  await share({ name: "Grace\r\nBcc: eve@example.com" });
  const mail = await PostalMime.parse(server.received[0] ?? "");
  const header = (key: string) => mail.headers.find((one) => one.key === key)?.value;
  const [, url = ""] = /^<(.+)>$/.exec(header("list-unsubscribe") ?? "") ?? [];
  expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  expect(mail.bcc).toBeUndefined();
  const stop = new URL(url).pathname;
  const path = (await visitor().get(stop)).headers.get("location") ?? "";
  expect(await (await visitor().get(path)).text()).toContain("They are on.");
  // As RFC 8058 asks a mail program to: without cookies, an origin or a page.
  const oneClick = await app.request(stop, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "List-Unsubscribe=One-Click",
  });
  expect(oneClick.status).toBe(200);
  expect(oneClick.headers.get("set-cookie")).toBeNull();
  expect(await (await visitor().get(path)).text()).toContain("They are off.");
  await share();
  time.now += hour;
  await services.jobs.runDue();
  expect(server.received).toHaveLength(1);
  const pressed = await visitor().post(stop, {});
  expect([pressed.status, pressed.headers.get("location")]).toEqual([303, path]);
  for (const changed of [path.slice(0, -1), path.replace("notices.", "notices.x"), "/lead-mails/x"]) {
    expect((await visitor().get(changed)).status).toBe(404);
    expect((await visitor().post(`${changed}/stop`, {})).status).toBe(404);
  }
});

test("the link of a mail isn't in the log", async () => {
  const { visitor, logLines } = await open();
  await visitor().get("/lead-mails/notices.ada.secret");
  expect(JSON.stringify(logLines)).not.toContain("secret");
});
