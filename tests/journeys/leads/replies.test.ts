import PostalMime from "postal-mime";
import { expect, test } from "vitest";

import { openOwner } from "#tests/journeys/leads/lead-owner.ts";
import { openLeadForm, shareContact } from "#tests/journeys/leads/shared-contacts.ts";
import { fieldValue } from "#tests/support/app/cards.ts";
import { textWith } from "#tests/support/app/responses.ts";
import { openSmtpServer } from "#tests/support/app/smtp-server.ts";

const visitorAddress = "grace@example.com";

/** A visitor who shared their contact, and what their owner sends them. */
async function open() {
  const opened = await shareContact();
  const { ada, leads, wait, mailsTo } = opened;
  const [lead] = await leads();
  const path = `/leads/${lead?.id}`;
  const form = async (change: Record<string, string> = {}) => {
    const id = fieldValue(await readAs(`${path}/reply`), "id");
    return { intent: "send", id, subject: "Good to meet you", text: "See you soon.", ...change };
  };
  const readAs = async (address: string) => (await (await ada.get(address)).text()).replaceAll("<!-- -->", "");
  const send = async (change: Record<string, string> = {}) => ada.post(`${path}/reply`, await form(change));
  const mails = async () => {
    await wait();
    return (await mailsTo(visitorAddress)).filter(({ from }) => from.includes("via Meishi"));
  };
  const shareAgain = () => opened.send({});
  return { ...opened, id: lead?.id ?? "", path, form, readAs, send, shareAgain, mails };
}

test("a lead is answered in two taps: their page's first button opens a reply with the owner's text and card", async () => {
  const { path, readAs, send, mails, leads } = await open();
  expect(await readAs(path)).toContain(`href="${path}/reply"`);
  const page = await readAs(`${path}/reply`);
  for (const text of [
    "Hi Grace,",
    "Thanks for sharing your details. Here is my card: http",
    `To <bdi>${visitorAddress}`,
  ])
    expect(page).toContain(text);
  expect(page).toContain(
    `href="mailto:${visitorAddress}?subject=Thanks%20for%20sharing%20your%20details&amp;body=Hi%20Grace`,
  );
  expect((await send()).headers.get("location")).toBe(path);
  const [mail, ...others] = await mails();
  expect(others).toEqual([]);
  expect(mail?.subject).toBe("Good to meet you");
  expect(mail?.text).toMatch(
    /^See you soon\.\n\nhttp\S+\/c\/\w+\n\n-- \n.* sent you this because you shared your details on/,
  );
  expect(mail?.text).toMatch(/See, withdraw or erase them: http\S+\/shared\/\S+/);
  expect(await leads()).toMatchObject([{ status: "contacted" }]);
  for (const text of ["Replied on", "Good to meet you", "See you soon."]) expect(await readAs(path)).toContain(text);
});

test("a reply is answered to its owner, has their contact file, and isn't marked as automatic", async () => {
  await using smtp = await openSmtpServer();
  const { ada, send, leads, wait } = await openLeadForm(
    {},
    { env: { SMTP_URL: smtp.url, MAIL_FROM: "M <m@site.example>" } },
  );
  await send();
  const [lead] = await leads();
  const id = fieldValue(await (await ada.get(`/leads/${lead?.id}/reply`)).text(), "id");
  await ada.post(`/leads/${lead?.id}/reply`, {
    intent: "send",
    id,
    subject: "Hi",
    text: "Hello\nBcc: eve@example.com",
  });
  await wait();
  const mails = await Promise.all(smtp.received.map((raw) => PostalMime.parse(raw)));
  const mail = mails.find(({ subject }) => subject === "Hi");
  expect(mail).toMatchObject({
    from: { name: "ada via M", address: "m@site.example" },
    to: [{ address: visitorAddress }],
    replyTo: [{ address: ada.email }],
    attachments: [{ filename: "ada.vcf", mimeType: "text/vcard" }],
  });
  expect(mail?.html).toBeUndefined();
  expect(mail?.headers.map(({ key }) => key)).not.toContain("auto-submitted");
});

test("a form that is sent twice sends one mail; wrong fields come back with everything typed", async () => {
  const { ada, path, form, mails } = await open();
  const twice = await form();
  for (const _ of [1, 2]) expect((await ada.post(`${path}/reply`, twice)).status).toBe(302);
  expect(await mails()).toHaveLength(1);
  for (const [wrong, message] of [
    [{ subject: " " }, "Enter a subject."],
    [{ text: "" }, "Enter a message."],
    [{ text: "x".repeat(5_001) }, "Use at most 5,000 characters."],
  ] as const) {
    const html = await textWith(
      400,
      await ada.post(`${path}/reply`, await form({ templateText: "Mine", ...wrong })),
      message,
    );
    expect(html).toContain(">Mine</textarea>");
  }
});

test("the owner's template is remembered, and fills in a message that wasn't changed", async () => {
  const { ada, path, readAs, form } = await open();
  const text = /<textarea[^>]*name="text"[^>]*>([^<]*)/.exec(await readAs(`${path}/reply`))?.[1] ?? "";
  const change = {
    intent: "save-template",
    templateSubject: "Hello {name}",
    templateText: "Dear {name} {unknown}\n{card}",
  };
  const saved = await (await ada.post(`${path}/reply`, await form({ ...change, text, subject: "My own" }))).text();
  for (const part of ["Template saved.", 'value="My own"', "Dear Grace Hopper {unknown}"])
    expect(saved).toContain(part);
  const page = await readAs(`${path}/reply`);
  for (const part of ['value="Hello Grace Hopper"', "Dear Grace Hopper {unknown}"]) expect(page).toContain(part);
});

test("mails only the address that the visitor sent: others are for the owner's mail app", async () => {
  const { ada, path, id, readAs, form, send, mails, services } = await open();
  await ada.post(`${path}/edit`, { name: "Grace", "emails.0": "victim@example.org" });
  const page = await readAs(`${path}/reply`);
  expect(page).toContain("You changed this address");
  expect(page).toContain('href="mailto:victim@example.org?');
  expect(page).not.toContain('value="send"');
  await textWith(409, await send(), "You changed this address");
  const update = (change: object) => services.db.updateTable("lead").set(change).where("id", "=", id).execute();
  await update({ email: visitorAddress, source: "hand" });
  await textWith(409, await send(), "You entered this address yourself");
  await update({ source: "", quarantined_at: 1 });
  await textWith(409, await send(), "Move this lead to your inbox");
  expect(await readAs(path)).not.toContain(`${path}/reply`);
  await update({ quarantined_at: null });
  await services.db.updateTable("lead_consent").set({ withdrawn_at: 1 }).where("purpose", "=", "answer").execute();
  await textWith(409, await ada.post(`${path}/reply`, await form()), "doesn’t allow you to contact them");
  expect(await mails()).toEqual([]);
});

test("no reply is sent after a withdrawal, and what was sent is erased with the lead", async () => {
  const { ada, grace, path, link, form, mails, services, signedIn } = await open();
  const early = await form();
  expect((await (await signedIn("eve@example.com")).post(`${path}/reply`, early)).status).toBe(404);
  await ada.post(`${path}/reply`, early);
  await grace.post(link, { intent: "withdraw" });
  expect(await services.db.selectFrom("lead_reply").selectAll().execute()).toEqual([]);
  expect(await mails()).toEqual([]);
  expect((await ada.post(`${path}/reply`, { ...early, id: early.id.replace(/^./, "0") })).status).toBe(404);
  expect((await ada.get(`${path}/reply`)).status).toBe(404);
});

test("whoever withdrew once isn't mailed again for this owner when the address is sent again", async () => {
  const { ada, grace, link, shareAgain, leads, readAs, mails } = await open();
  await grace.post(link, { intent: "withdraw" });
  await shareAgain();
  const again = (await leads()).find(({ email }) => email === visitorAddress);
  const page = `/leads/${again?.id}/reply`;
  const reply = { intent: "send", id: fieldValue(await readAs(page), "id"), subject: "Again", text: "Hello" };
  await textWith(409, await ada.post(page, reply), "doesn’t allow you to contact them");
  expect(await mails()).toEqual([]);
});

test("a mailbox gets at most five replies a day of one owner", async () => {
  const { send, mails, time } = await open();
  for (const _ of [1, 2, 3, 4, 5]) expect((await send()).status).toBe(302);
  await textWith(429, await send({ text: "The sixth" }), "You sent too many replies today.");
  expect(await mails()).toHaveLength(5);
  time.now += 86_400_000;
  expect((await send()).status).toBe(302);
});

test("a lead without an address has no reply", async () => {
  const { ada, share, read } = await openOwner();
  await share({ id: "grace", phone: "+1 202 555 0100" });
  expect((await ada.get("/leads/grace/reply")).status).toBe(404);
  const page = await read("/leads/grace");
  for (const href of ["tel:+12025550100", "sms:+12025550100", "https://wa.me/12025550100"])
    expect(page).toContain(`href="${href}"`);
});
