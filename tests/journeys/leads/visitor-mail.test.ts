import { describe, expect, test } from "vitest";

import { eraseLeads } from "#app/features/leads/data.server.ts";
import { leadLimits } from "#app/features/leads/rules.ts";
import { day, hour } from "#tests/journeys/leads/lead-owner.ts";
import { fieldValue } from "#tests/support/app/cards.ts";
import { openSmtpServer } from "#tests/support/app/smtp-server.ts";
import { useUp } from "#tests/support/database/attempts.ts";

import { openLeadForm } from "./shared-contacts.ts";

const evil = "https://evil.example";

describe("the mail to a visitor", () => {
  test("has no words of the owner but a short name, their work and a booking site", async () => {
    const { formOf, send, services, mailsTo } = await openLeadForm({
      answer_text: `Your account is locked: sign in at ${evil} now.`,
      newsletter_text: `Win at ${evil} every day.`,
      "question-0-label": `Seen ${evil} yet?`,
      booking_url: `${evil}/book`,
    });
    const change = { display_name: `Bank security ${"x".repeat(40)}` };
    await services.db.updateTable("profile").set(change).execute();
    await services.db
      .updateTable("card")
      .set({ company: `Now at ${evil}` })
      .execute();
    const news = fieldValue((await formOf()).page, "consent-newsletter");
    await send({ "consent-newsletter": news });
    const [mail] = await mailsTo("grace@example.com");
    for (const text of ["name, email, note and answers", "used to answer you", "news may be emailed to you"])
      expect(mail?.text).toContain(text);
    for (const shown of [mail?.text, mail?.html]) expect(shown).not.toMatch(/evil|locked|x{17}/);
    expect(mail?.subject).toMatch(/^You shared your details with Bank security x{1,16}…$/);
  });

  test("has no name of the owner that a mail program could turn into a link", async () => {
    const { send, services, mailsTo } = await openLeadForm();
    for (const name of ["evil1.com", `Bank ${evil}`]) {
      await services.db.updateTable("profile").set({ display_name: name }).execute();
      await send();
    }
    const subjects = (await mailsTo("grace@example.com")).map(({ subject }) => subject);
    const subject = "You shared your details with the owner of a business card";
    expect(subjects).toEqual([subject, subject]);
  });

  test("links to no card that visitors can't open anymore", async () => {
    const { send, services, mailsTo, path } = await openLeadForm();
    await send();
    await services.db.updateTable("card").set({ is_public: 0 }).execute();
    const [mail] = await mailsTo("grace@example.com");
    expect(mail?.text).toContain("See, withdraw or erase your details");
    expect(mail?.text).not.toContain(path);
  });

  test("waits without the address while the mail server is away, and isn't sent once the lead is erased", async () => {
    const { url, ...down } = await openSmtpServer();
    await down[Symbol.asyncDispose]();
    const env = { SMTP_URL: url, MAIL_FROM: "Meishi <m@example.com>" };
    const { ownerId, send, leads, services, wait } = await openLeadForm({}, { env });
    await send();
    await wait();
    const [lead] = await leads();
    const jobs = await services.db.selectFrom("job").selectAll().execute();
    expect(jobs.map(({ tries }) => tries)).toContain(1);
    expect(JSON.stringify(jobs)).not.toMatch(/grace/i);
    await eraseLeads(services, { ownerId, ids: [lead?.id ?? ""] });
    await using smtp = await openSmtpServer(Number(new URL(url).port));
    await wait(hour);
    expect(smtp.received.filter((mail) => mail.includes("grace@example.com"))).toEqual([]);
    expect(await services.db.selectFrom("job").selectAll().execute()).toEqual([]);
  });

  test("is sent a day later above its owner's limit, for at most a week, and the lead is stored", async () => {
    const { ownerId, send, leads, services, mailsTo, wait, time } = await openLeadForm();
    const reach = () => useUp(services, { limit: leadLimits.mailsOfOwner, subject: ownerId });
    await reach();
    await send();
    await wait();
    expect(await leads()).toMatchObject([{ email: "grace@example.com", quarantined_at: null }]);
    const sent = async () => (await mailsTo("grace@example.com")).length;
    expect(await sent()).toBe(0);
    time.now += day;
    await reach();
    expect(await sent()).toBe(0);
    time.now += day;
    expect(await sent()).toBe(1);
    await send();
    for (let days = 0; days < 8; days++) {
      await reach();
      expect(await sent()).toBe(1);
      time.now += day;
    }
    expect(await sent()).toBe(1);
    expect(await services.db.selectFrom("job").selectAll().execute()).toEqual([]);
  });

  test("is sent to one mailbox ten times a day at most, also when an owner accepts what was suspected spam", async () => {
    const { ada, send, leads, mails, time } = await openLeadForm();
    for (let n = 0; n < 14; n++) await send({ email: `Grace+${n}@example.com` });
    const ids = (await leads()).filter((lead) => lead.quarantined_at !== null).map(({ id }) => id);
    expect(ids).toHaveLength(14 - leadLimits.ofMailbox.max);
    for (const id of ids) await ada.post(`/leads/${id}`, { intent: "not-spam" });
    const sent = async () => (await mails()).filter(({ to }) => /^grace/i.test(to)).length;
    expect(await sent()).toBe(leadLimits.mailsOfMailbox.max);
    time.now += day;
    expect(await sent()).toBe(14);
  });
});
