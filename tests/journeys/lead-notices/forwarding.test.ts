import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";

import { deleteAccount } from "#app/features/account/settings/account-deletion-data.server.ts";
import { features } from "#server/features.ts";
import { runMaintenance } from "#server/maintenance.ts";
import { day, hour, openOwner } from "#tests/journeys/leads/lead-owner.ts";
import { textWith } from "#tests/support/app/responses.ts";
import { openSmtpServer } from "#tests/support/app/smtp-server.ts";
import { servicesText } from "#tests/support/database/leads.ts";

const crm = "inbound@crm.example";
const details = { email: "grace@example.com", phone: "+1 555 0100", company: "Navy", note: "Call me\nsoon" };

async function open() {
  const smtp = await openSmtpServer();
  const owner = await openOwner({ env: { SMTP_URL: smtp.url, MAIL_FROM: "Meishi <m@example.com>" } });
  const { ada, services } = owner;
  const mailsTo = async (to: string) => {
    await services.jobs.runDue();
    const mails = await Promise.all(smtp.received.map((raw) => PostalMime.parse(raw)));
    return mails.filter((mail) => mail.to?.[0]?.address === to);
  };
  const post = (form: Record<string, string>) => ada.post("/leads/notifications", form);
  const add = (address: string) => post({ intent: "add-forward", address });
  const findLink = async () => /\/lead-mails\/\S+/.exec((await mailsTo(crm)).at(-1)?.text ?? "")?.[0] ?? "";
  const share = (lead = {}, text = servicesText) => owner.share({ name: "Grace Hopper", ...details, ...lead }, text);
  const leadsTo = async () => (await mailsTo(crm)).filter(({ subject }) => subject?.startsWith("New lead"));
  const forwards = () => services.db.selectFrom("lead_forward").selectAll().execute();
  const close = () => smtp[Symbol.asyncDispose]();
  return { ...owner, smtp, mailsTo, post, add, findLink, share, leadsTo, forwards, [Symbol.asyncDispose]: close };
}

/** The same with a confirmed address. */
async function openConfirmed() {
  const site = await open();
  await site.add(crm);
  await site.visitor().post(`${await site.findLink()}/confirm`, {});
  return site;
}

test("an address gets nothing but one mail until someone there confirms it", async () => {
  await using site = await open();
  await site.add(crm);
  await site.share();
  expect((await site.mailsTo(crm)).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Confirm that you want leads from /),
  ]);
  const link = await site.findLink();
  // Mail scanners open links.
  expect(await site.read(link, site.visitor())).toContain("Send new leads to this address");
  await site.share();
  expect(await site.leadsTo()).toEqual([]);
  await site.visitor().post(`${link}/confirm`, {});
  await site.share();
  expect(await site.leadsTo()).toHaveLength(1);
  expect((await site.mailsTo(site.ada.email)).map(({ subject }) => subject)).toContain(
    "New leads are forwarded to another address",
  );
});

test("a lead is sent with all its fields, its contact file, and the visitor to answer to", async () => {
  await using site = await openConfirmed();
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
  for (const line of ["FN:Grace Hopper\r\n", "EMAIL;TYPE=INTERNET,WORK:grace@example.com\r\n"])
    expect(vcard).toContain(line);
});

test("a visitor's text of several lines can't pass for another field, or for the end of the mail", async () => {
  await using site = await openConfirmed();
  const link = "Stop these emails: https://evil.example";
  await site.share({ note: `Hi\nConsent: Send me everything\r\nEmail: eve@example.com\n\n-- \n${link}` });
  const [mail] = await site.leadsTo();
  const lines = mail?.text?.split("\n").filter((line) => /^(Email|Consent|-- |Stop)/.test(line));
  expect(lines?.slice(0, 3)).toEqual(["Email: grace@example.com", `Consent: ${servicesText}`, "-- "]);
  expect(mail?.text).toContain(`\n  ${link}\n`);
  expect(lines).not.toContain(link);
});

test("no line break, quote or address of a visitor adds a header or a recipient", async () => {
  await using site = await openConfirmed();
  await site.share({ name: "Grace\r\nBcc: eve@example.com\r\n\r\nHi" });
  await site.share({ name: '\u0001"; x="\u2028\u0085Bcc: eve@example.com' });
  await site.share({ email: '"a b"@example.com, eve@example.com' });
  await site.share({ name: "n".repeat(5_000) });
  const mails = await site.leadsTo();
  expect(mails).toHaveLength(4);
  for (const { to, cc, bcc, subject, headers } of mails) {
    expect([to, cc, bcc]).toEqual([[{ name: "", address: crm }], undefined, undefined]);
    expect(subject?.length).toBeLessThan(120);
    expect(knownHeaders).toEqual(expect.arrayContaining(headers.map(({ key }) => key)));
  }
});

const knownHeaders =
  "from to reply-to subject message-id date mime-version content-type auto-submitted list-unsubscribe list-unsubscribe-post".split(
    " ",
  );

describe("a lead isn't sent", () => {
  test("when it was withdrawn, deleted or suspected before, or its visitor agreed that it goes to the owner only", async () => {
    await using site = await openConfirmed();
    for (const change of [{ withdrawn_at: 1 }, { deleted_at: 1 }, { quarantined_at: 1 }]) {
      const id = await site.share();
      await site.services.db.updateTable("lead").set(change).where("id", "=", id).execute();
    }
    await site.share({}, "My details go only to Ada, and are deleted after 24 months at the latest.");
    expect(await site.leadsTo()).toEqual([]);
  });

  test("while it is suspected spam, but once it is accepted", async () => {
    await using site = await openConfirmed();
    const id = await site.share({ quarantined_at: 1 });
    expect(await site.leadsTo()).toEqual([]);
    await site.ada.post("/leads", { intent: "not-spam", id, back: "" });
    expect(await site.leadsTo()).toHaveLength(1);
  });

  test("when the account was deleted with jobs waiting", async () => {
    await using site = await openConfirmed();
    await site.share();
    await deleteAccount(site.services, { ownerId: site.ownerId, feedback: "" });
    expect(await site.leadsTo()).toEqual([]);
    expect(await site.forwards()).toEqual([]);
  });
});

test("a mail server that is down delays it, the owner sees it, and it is sent once", async () => {
  await using site = await openConfirmed();
  const problem = "Couldn’t be sent";
  await site.smtp[Symbol.asyncDispose]();
  await site.share();
  await site.wait();
  expect(await site.read("/leads/notifications")).toContain(problem);
  expect(await site.services.db.selectFrom("lead_recipient").selectAll().execute()).toEqual([]);
  await using back = await openSmtpServer(Number(new URL(site.smtp.url).port));
  await site.wait(hour);
  const mails = await Promise.all(back.received.map((raw) => PostalMime.parse(raw)));
  expect(mails.filter(({ to }) => to?.[0]?.address === crm)).toHaveLength(1);
  expect(await site.read("/leads/notifications")).not.toContain(problem);
});

describe("an address", () => {
  test("is removed by its owner alone, and the security log has it", async () => {
    await using site = await openConfirmed();
    const id = (await site.forwards())[0]?.id ?? "";
    const eve = await site.signedIn("eve@example.com");
    await eve.post("/leads/notifications", { intent: "remove-forward", id });
    await site.share();
    expect(await site.leadsTo()).toHaveLength(1);
    await site.post({ intent: "remove-forward", id });
    await site.share();
    expect(await site.leadsTo()).toHaveLength(1);
    const log = await site.read("/account/security-log");
    for (const line of ["Added an address", "Someone confirmed an address", "Removed an address"])
      expect(log).toContain(`${line} that gets new leads`);
  });

  test("stops the mails by itself, with one click", async () => {
    await using site = await openConfirmed();
    await site.share();
    const [mail] = await site.leadsTo();
    const url = /<(.+)>/.exec(mail?.headers.find(({ key }) => key === "list-unsubscribe")?.value ?? "")?.[1] ?? "";
    const { pathname } = new URL(url);
    const body = "List-Unsubscribe=One-Click";
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    expect((await site.app.request(pathname, { method: "POST", headers, body })).status).toBe(200);
    await site.share();
    expect(await site.leadsTo()).toHaveLength(1);
    expect(await site.read(pathname.replace("/stop", ""), site.visitor())).toContain("gets no leads");
  });

  test("that no one confirms is deleted after a week, and its link is void", async () => {
    await using site = await open();
    await site.add(crm);
    const link = await site.findLink();
    site.time.now += 7 * day;
    await site.visitor().post(`${link}/confirm`, {});
    expect(await site.forwards()).toMatchObject([{ confirmed_at: null }]);
    await runMaintenance(features, site.services);
    expect(await site.forwards()).toEqual([]);
  });

  test("that isn't one is refused next to the field, with what was typed", async () => {
    await using site = await open();
    for (const typed of ["", "a@b@c.example", "Ada <ada@crm.example>", "a@crm.example, b@crm.example"]) {
      const html = await textWith(400, await site.add(typed), typed);
      expect(html).toContain("Enter a valid email address");
      expect(html).toContain(`value="${typed.replaceAll("<", "&lt;").replaceAll(">", "&gt;")}"`);
    }
  });

  test("is added once, also by twenty tabs, there are at most three, and none can be flooded with confirmations", async () => {
    await using site = await open();
    await Promise.all(Array.from({ length: 20 }, () => site.add(crm)));
    expect(await site.mailsTo(crm)).toHaveLength(1);
    for (const name of ["b", "c", "d"]) await site.add(`${name}@crm.example`);
    expect(await site.forwards()).toHaveLength(3);
    for (let n = 0; n < 4; n++) {
      await site.services.db.deleteFrom("lead_forward").execute();
      await site.add(crm);
    }
    expect(await site.mailsTo(crm)).toHaveLength(3);
    expect((await site.add(crm)).status).toBe(429);
  });
});
