import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";

import { insertLead, servicesText } from "#tests/support/database/leads.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { openSmtpServer } from "#tests/support/app/smtp-server.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { features } from "#server/features.ts";
import { runMaintenance } from "#server/maintenance.ts";

const crm = "inbound@crm.example";
const hour = 3_600_000;
const details = {
  name: "Grace Hopper",
  email: "grace@example.com",
  phone: "+1 555 0100",
  company: "Navy",
  note: "Call me\nsoon",
};

async function open() {
  const smtp = await openSmtpServer();
  const time = { now: Date.UTC(2026, 10, 23, 11) };
  const app = await createTestApp({
    clock: () => time.now,
    env: { SMTP_URL: smtp.url, MAIL_FROM: "Meishi <m@example.com>" },
  });
  const ada = await app.signedIn();
  const ownerId = await userIdOf(ada);
  const mailsTo = async (to: string) => {
    await app.services.jobs.runDue();
    const mails = await Promise.all(smtp.received.map((raw) => PostalMime.parse(raw)));
    return mails.filter((mail) => mail.to?.[0]?.address === to);
  };
  const add = (address: string) => ada.post("/leads/notifications", { intent: "add-forward", address });
  const linkTo = async (address: string) =>
    /\/lead-mails\/\S+/.exec((await mailsTo(address)).at(-1)?.text ?? "")?.[0] ?? "";
  const confirm = async (address = crm) => {
    await add(address);
    await app.visitor().post(`${await linkTo(address)}/confirm`, {});
  };
  let count = 0;
  const share = async (lead: Parameters<typeof insertLead>[1]["lead"] = {}, text = servicesText) => {
    await insertLead(app.services, {
      id: `lead-${++count}`,
      ownerId,
      now: time.now,
      lead: { ...details, ...lead },
      text,
    });
    return `lead-${count}`;
  };
  const leadsTo = async (address = crm) =>
    (await mailsTo(address)).filter(({ subject }) => subject?.startsWith("New lead"));
  return {
    ...app,
    ada,
    ownerId,
    smtp,
    time,
    mailsTo,
    add,
    linkTo,
    confirm,
    share,
    leadsTo,
    [Symbol.asyncDispose]: () => smtp[Symbol.asyncDispose](),
  };
}

test("an address gets nothing but one mail until someone there confirms it", async () => {
  await using site = await open();
  await site.add(crm);
  await site.share();
  expect((await site.mailsTo(crm)).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Confirm that you want leads from /),
  ]);
  const link = await site.linkTo(crm);
  // Mail scanners open links.
  expect(await (await site.visitor().get(link)).text()).toContain("Send new leads to this address");
  await site.share();
  expect(await site.leadsTo()).toEqual([]);
  await site.visitor().post(`${link}/confirm`, {});
  await site.share();
  expect(await site.leadsTo()).toHaveLength(1);
  expect((await site.mailsTo("ada@example.com")).map(({ subject }) => subject)).toContain(
    "New leads are forwarded to another address",
  );
});

test("a lead is sent with all its fields, its contact file, and the visitor to answer to", async () => {
  await using site = await open();
  await site.confirm();
  await site.share({ answers: JSON.stringify([{ question: "Which team?", answer: "Compilers" }]) });
  const [mail, ...others] = await site.leadsTo();
  expect(others).toEqual([]);
  expect(mail?.subject).toBe("New lead: Grace Hopper");
  expect(mail?.replyTo).toEqual([{ name: "", address: "grace@example.com" }]);
  for (const line of [
    "Name: Grace Hopper",
    "Email: grace@example.com",
    "Phone: +1 555 0100",
    "Company: Navy",
    "Note: Call me",
    "  soon",
    "Which team?: Compilers",
    `Consent: ${servicesText}`,
  ])
    expect(mail?.text?.split("\n")).toContain(line);
  const [file] = mail?.attachments ?? [];
  expect(file).toMatchObject({ mimeType: "text/vcard", filename: "Grace Hopper.vcf" });
  const vcard = typeof file?.content === "string" ? file.content : new TextDecoder().decode(file?.content);
  expect(vcard).toContain("FN:Grace Hopper\r\n");
  expect(vcard).toContain("EMAIL;TYPE=INTERNET,WORK:grace@example.com\r\n");
});

test("a visitor's text of several lines can't pass for another field, or for the end of the mail", async () => {
  await using site = await open();
  await site.confirm();
  const link = "Stop these emails: https://evil.example";
  await site.share({ note: `Hi\nConsent: Send me everything\r\nEmail: eve@example.com\n\n-- \n${link}` });
  const [mail] = await site.leadsTo();
  const lines = mail?.text?.split("\n").filter((line) => /^(Email|Consent|-- |Stop)/.test(line));
  expect(lines?.slice(0, 3)).toEqual(["Email: grace@example.com", `Consent: ${servicesText}`, "-- "]);
  expect(mail?.text).toContain(`\n  ${link}\n`);
  expect(lines).not.toContain(link);
});

test.each([
  ["a line break in the name", { name: "Grace\r\nBcc: eve@example.com\r\n\r\nHi" }],
  ["a name of control characters and quotes", { name: '\u0001"; x="\u2028\u0085Bcc: eve@example.com' }],
  ["an address that can't be mailed", { email: '"a b"@example.com, eve@example.com' }],
  ["a very long name", { name: "n".repeat(5_000) }],
])("%s adds no header and no recipient", async (_, lead) => {
  await using site = await open();
  await site.confirm();
  await site.share(lead);
  const [mail] = await site.leadsTo();
  expect(mail?.to).toEqual([{ name: "", address: crm }]);
  expect([mail?.cc, mail?.bcc]).toEqual([undefined, undefined]);
  expect(mail?.subject?.length).toBeLessThan(120);
  const names = mail?.headers.map(({ key }) => key) ?? [];
  expect(names.filter((name) => !knownHeaders.includes(name))).toEqual([]);
});

const knownHeaders = [
  "from",
  "to",
  "reply-to",
  "subject",
  "message-id",
  "date",
  "mime-version",
  "content-type",
  "auto-submitted",
  "list-unsubscribe",
  "list-unsubscribe-post",
];

describe("a lead isn't sent", () => {
  test.each([
    ["withdrawn", { withdrawn_at: 1 }],
    ["deleted by its owner", { deleted_at: 1 }],
    ["put into quarantine", { quarantined_at: 1 }],
  ])("when it was %s before", async (_, change) => {
    await using site = await open();
    await site.confirm();
    const id = await site.share();
    await site.services.db.updateTable("lead").set(change).where("id", "=", id).execute();
    expect(await site.leadsTo()).toEqual([]);
  });

  test("when its visitor agreed that it goes to the owner only", async () => {
    await using site = await open();
    await site.confirm();
    await site.share(
      {},
      "You may answer me. My details go only to Ada, and are deleted after 24 months at the latest. I can withdraw my consent at any time.",
    );
    expect(await site.leadsTo()).toEqual([]);
  });

  test("while it is suspected spam, but once it is accepted", async () => {
    await using site = await open();
    await site.confirm();
    const id = await site.share({ quarantined_at: 1 });
    expect(await site.leadsTo()).toEqual([]);
    await site.ada.post("/leads", { intent: "not-spam", id, back: "" });
    expect(await site.leadsTo()).toHaveLength(1);
  });

  test("when the account was deleted with jobs waiting", async () => {
    await using site = await open();
    await site.confirm();
    await site.share();
    const { deleteAccount } = await import("#app/features/account/settings/account-deletion-data.server.ts");
    await deleteAccount(site.services, { ownerId: site.ownerId, feedback: "" });
    expect(await site.leadsTo()).toEqual([]);
    expect(await site.services.db.selectFrom("lead_forward").selectAll().execute()).toEqual([]);
  });
});

test("a mail server that is down delays it, the owner sees it, and it is sent once", async () => {
  await using site = await open();
  await site.confirm();
  const port = Number(new URL(site.smtp.url).port);
  await site.smtp[Symbol.asyncDispose]();
  await site.share();
  await site.services.jobs.runDue();
  expect(await (await site.ada.get("/leads/notifications")).text()).toContain("Couldn&#x27;t be sent");
  expect(await site.services.db.selectFrom("lead_recipient").selectAll().execute()).toEqual([]);
  await using back = await openSmtpServer(port);
  site.time.now += hour;
  await site.services.jobs.runDue();
  const mails = await Promise.all(back.received.map((raw) => PostalMime.parse(raw)));
  expect(mails.filter(({ to }) => to?.[0]?.address === crm)).toHaveLength(1);
  expect(await (await site.ada.get("/leads/notifications")).text()).not.toContain("Couldn&#x27;t be sent");
});

describe("an address", () => {
  test("is removed by its owner alone, and the security log has it", async () => {
    await using site = await open();
    await site.confirm();
    const [row] = await site.services.db.selectFrom("lead_forward").select("id").execute();
    const eve = await site.signedIn("eve@example.com");
    await eve.post("/leads/notifications", { intent: "remove-forward", id: row?.id ?? "" });
    await site.share();
    expect(await site.leadsTo()).toHaveLength(1);
    await site.ada.post("/leads/notifications", { intent: "remove-forward", id: row?.id ?? "" });
    await site.share();
    expect(await site.leadsTo()).toHaveLength(1);
    const log = await (await site.ada.get("/account/security-log")).text();
    expect(log).toContain("Added an address that gets new leads");
    expect(log).toContain("Someone confirmed an address that gets new leads");
    expect(log).toContain("Removed an address that gets new leads");
  });

  test("stops the mails by itself, with one click", async () => {
    await using site = await open();
    await site.confirm();
    await site.share();
    const [mail] = await site.leadsTo();
    const url = /<(.+)>/.exec(mail?.headers.find(({ key }) => key === "list-unsubscribe")?.value ?? "")?.[1] ?? "";
    const body = "List-Unsubscribe=One-Click";
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect((await site.app.request(new URL(url).pathname, { method: "POST", headers, body })).status).toBe(200);
    await site.share();
    expect(await site.leadsTo()).toHaveLength(1);
    expect(await (await site.visitor().get(new URL(url).pathname.replace("/stop", ""))).text()).toContain(
      "gets no leads",
    );
  });

  test("that no one confirms is deleted after a week, and its link is void", async () => {
    await using site = await open();
    await site.add(crm);
    const link = await site.linkTo(crm);
    site.time.now += 7 * 24 * hour;
    await site.visitor().post(`${link}/confirm`, {});
    expect(await site.services.db.selectFrom("lead_forward").select("confirmed_at").execute()).toEqual([
      { confirmed_at: null },
    ]);
    await runMaintenance(features, site.services);
    expect(await site.services.db.selectFrom("lead_forward").selectAll().execute()).toEqual([]);
  });

  test.each([
    "",
    "grace",
    "a@b@c.example",
    "Ada <ada@crm.example>",
    "a@crm.example, b@crm.example",
    `${"a".repeat(250)}@crm.example`,
  ])("that isn't one is refused next to the field, with what was typed: %j", async (typed) => {
    await using site = await open();
    const response = await site.add(typed);
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(html).toContain("Enter a valid email address");
    expect(html).toContain(`value="${typed.replaceAll("<", "&lt;").replaceAll(">", "&gt;")}"`);
  });

  test("is added once, also by twenty tabs, and there are at most three", async () => {
    await using site = await open();
    await Promise.all(Array.from({ length: 20 }, () => site.add(crm)));
    expect(await site.mailsTo(crm)).toHaveLength(1);
    for (const name of ["b", "c", "d"]) await site.add(`${name}@crm.example`);
    expect(await site.services.db.selectFrom("lead_forward").select("id").execute()).toHaveLength(3);
  });

  test("can't be flooded with confirmations", async () => {
    await using site = await open();
    for (let n = 0; n < 5; n++) {
      await site.add(crm);
      await site.services.db.deleteFrom("lead_forward").execute();
    }
    expect(await site.mailsTo(crm)).toHaveLength(3);
    expect((await site.add(crm)).status).toBe(429);
  });
});
