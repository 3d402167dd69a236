import PostalMime from "postal-mime";
import { expect, test } from "vitest";

import { deleteAccount } from "#app/features/account/settings/account-deletion-data.server.ts";
import { leadLimits } from "#app/features/leads/rules.ts";
import { day, hour, minute, openOwner } from "#tests/journeys/leads/lead-owner.ts";
import { openSmtpServer } from "#tests/support/app/smtp-server.ts";
import { insertRows } from "#tests/support/database/account-rows.ts";
import { useUp } from "#tests/support/database/attempts.ts";

import { openLeadForm } from "#tests/journeys/leads/shared-contacts.ts";

async function open(env: Record<string, string> = {}) {
  const owner = await openOwner({ env });
  const share = async (lead: Parameters<typeof owner.share>[0] = {}) => {
    const id = await owner.share(lead);
    await owner.services.jobs.runDue();
    return id;
  };
  const subjects = async () => (await owner.mailsTo(owner.ada.email)).map(({ subject }) => subject);
  const choose = (timing: string, atHour = "8") =>
    owner.ada.post("/leads/notifications", { intent: "mail", timing, hour: atHour });
  return { ...owner, share, subjects, choose };
}

test("an owner who never opened the settings gets one mail with the name and a link, and none of the details", async () => {
  const { send, mailsTo, ada, leads } = await openLeadForm();
  await send();
  const [mail, ...others] = await mailsTo(ada.email);
  expect(others).toEqual([]);
  expect(mail?.subject).toBe("New lead: Grace Hopper");
  expect(mail?.text).toContain(`/leads/${(await leads())[0]?.id}`);
  expect(`${mail?.text} ${mail?.html}`).not.toMatch(/grace@example\.com|Nice to meet you|At the fair/);
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
  const { ada, share, subjects, wait, choose } = await open();
  await ada.post("/account/preferences", { mailsSignIns: "on", locale: "", timeZone: "Asia/Tokyo" });
  await choose("daily", "21");
  await share();
  await share();
  // 20:59 in Tokyo.
  await wait(59 * minute);
  expect(await subjects()).toEqual([]);
  await wait(minute);
  expect(await subjects()).toEqual(["You have 2 new leads"]);
  await wait(48 * hour);
  expect(await subjects()).toHaveLength(1);
});

test("leads that wait come at once when the owner chooses so, and never once it is off", async () => {
  const { share, subjects, wait, choose } = await open();
  await choose("daily");
  await share({ name: "Grace" });
  await choose("now");
  expect(await subjects()).toEqual(["New lead: Grace"]);
  await choose("daily");
  await share();
  await choose("off");
  await share();
  await wait(48 * hour);
  expect(await subjects()).toHaveLength(1);
});

test("suspected spam is announced when its owner accepts it, and what they scanned or typed themselves isn't", async () => {
  const { ada, share, subjects } = await open();
  await share({ id: "spam", quarantined_at: 1 });
  for (const source of ["scan", "hand"]) await share({ source });
  expect(await subjects()).toEqual([]);
  await ada.post("/leads", { intent: "not-spam", id: "spam", back: "" });
  expect(await subjects()).toEqual(["New lead: Guest spam"]);
});

test("leads that are suspected only because many came in are announced, at most once an hour, without delaying others", async () => {
  const { send, services, ownerId, ada, mailsTo, wait, card, time } = await openLeadForm();
  const read = async (path: string) => (await (await ada.get(path)).text()).replaceAll("<!-- -->", "");
  await useUp(services, { limit: leadLimits.ofMailbox, subject: `${ownerId} grace@example.com` });
  await insertRows(services, {
    lead: {
      id: "bot",
      owner_id: ownerId,
      card_id: card,
      created_at: 1,
      received_at: 1,
      expires_at: time.now + 40 * day,
      quarantined_at: 1,
    },
  });
  const subjects = async () => (await mailsTo(ada.email)).map(({ subject }) => subject);
  await send();
  await wait();
  expect(await subjects()).toEqual(["2 leads wait for your review"]);
  const page = await read("/leads");
  for (const text of ["2 leads wait for your review", 'href="/leads?view=spam"']) expect(page).toContain(text);
  expect(await read("/leads?view=spam")).not.toContain("wait for your review");
  for (let n = 0; n < 3; n++) await send();
  await wait(50 * minute);
  expect(await subjects()).toHaveLength(1);
  await send({ email: "alan@example.com", name: "Alan Turing" });
  await wait();
  const [mail] = await mailsTo(ada.email);
  expect(mail?.subject).toBe("New lead: Alan Turing");
  expect(mail?.text).toContain("5 leads wait for your review:\nhttp");
  // No long addresses to read.
  for (const label of ["5 leads wait for your review", "Turn them off without signing in"])
    expect(mail?.html).toMatch(new RegExp(`<a href="http[^"]+"[^>]*>${label}</a>`));
  await send();
  await wait(59 * minute);
  expect(await subjects()).toHaveLength(2);
  await wait(minute);
  expect((await subjects())[0]).toBe("6 leads wait for your review");
});

test("a lead that was withdrawn, deleted or suspected before the mail isn't in it", async () => {
  const { services, share, subjects, wait, choose } = await open();
  await choose("daily");
  for (const change of [{ withdrawn_at: 1, name: "" }, { deleted_at: 1 }, { quarantined_at: 1 }]) {
    const id = await share();
    await services.db.updateTable("lead").set(change).where("id", "=", id).execute();
  }
  await share({ name: "Alan" });
  await wait(24 * hour);
  expect(await subjects()).toEqual(["New lead: Alan"]);
});

test("what came in while the mail server was away is one mail when it is back", async () => {
  const { url, ...smtp } = await openSmtpServer();
  const { share, wait } = await open({ SMTP_URL: url, MAIL_FROM: "Meishi <m@example.com>" });
  await smtp[Symbol.asyncDispose]();
  await share();
  await share();
  await using back = await openSmtpServer(Number(new URL(url).port));
  await wait(hour);
  const mails = await Promise.all(back.received.map((raw) => PostalMime.parse(raw)));
  expect(mails.map(({ subject }) => subject)).toEqual(["You have 2 new leads"]);
});

test("a blocked account gets none, nor a deleted one of leads that waited", async () => {
  const { ownerId, share, subjects, wait, services, choose } = await open();
  await services.db.insertInto("account_block").values({ owner_id: ownerId, reason: "", created_at: 1 }).execute();
  await share();
  expect(await subjects()).toEqual([]);
  await services.db.deleteFrom("account_block").execute();
  await choose("daily");
  await share();
  await deleteAccount(services, { ownerId, feedback: "" });
  await wait(48 * hour);
  expect(await subjects()).toEqual(["Your account was deleted"]);
});

test("settings that the page doesn't offer are refused", async () => {
  const { ada, choose, read } = await open();
  for (const [timing, atHour] of [["hourly"], ["daily", "24"], ["daily", "x"]] as const)
    expect((await choose(timing, atHour)).status).toBe(400);
  expect((await ada.post("/leads/notifications", { intent: "none" })).status).toBe(400);
  expect(await read("/leads/notifications")).toContain('checked="" value="now"');
});

test("mail programs and people turn the mails off without signing in, and the log doesn't have the link", async () => {
  await using smtp = await openSmtpServer();
  const { share, visitor, wait, app, read, logLines } = await open({ SMTP_URL: smtp.url, MAIL_FROM: "m@example.com" });
  await share({ name: "Grace\r\nBcc: eve@example.com" });
  const mail = await PostalMime.parse(smtp.received[0] ?? "");
  const header = (key: string) => mail.headers.find((one) => one.key === key)?.value;
  const [, url = ""] = /^<(.+)>$/.exec(header("list-unsubscribe") ?? "") ?? [];
  expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  expect(mail.bcc).toBeUndefined();
  const stop = new URL(url).pathname;
  const path = (await visitor().get(stop)).headers.get("location") ?? "";
  expect(await read(path, visitor())).toContain("They are on.");
  // As RFC 8058 asks a mail program to: without cookies, an origin or a page.
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const oneClick = await app.request(stop, { method: "POST", headers, body: "List-Unsubscribe=One-Click" });
  expect([oneClick.status, oneClick.headers.get("set-cookie")]).toEqual([200, null]);
  expect(await read(path, visitor())).toContain("They are off.");
  await share();
  await wait(hour);
  expect(smtp.received).toHaveLength(1);
  const pressed = await visitor().post(stop, {});
  expect([pressed.status, pressed.headers.get("location")]).toEqual([303, path]);
  for (const changed of [path.slice(0, -1), path.replace("notices.", "notices.x"), "/lead-mails/x"]) {
    expect((await visitor().get(changed)).status).toBe(404);
    expect((await visitor().post(`${changed}/stop`, {})).status).toBe(404);
  }
  expect(JSON.stringify(logLines)).not.toContain(path.split(".").at(-1));
});
