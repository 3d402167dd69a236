import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";

import { contentFolder } from "#tests/support/admin/operator-content.ts";
import { readElements, textWith } from "#tests/support/app/responses.ts";
import { openSmtpServer } from "#tests/support/app/smtp-server.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

const written = { name: "Ada", email: "ada@example.com", message: "Is there a plan for a school class?" };

describe("a message to the operator", () => {
  test("arrives as a plain-text mail that is answered to the sender", async () => {
    await using server = await openSmtpServer();
    const { services, send } = await openContact({ SMTP_URL: server.url, CONTACT_TO: "desk@cards.example" });
    const sent = await send({ ...written, message: "First line\r\n\r\nSecond – 名刺" });
    expect(sent.status).toBe(303);
    await services.jobs.runDue();
    expect(server.received).toHaveLength(1);
    const mail = await PostalMime.parse(server.received[0] ?? "");
    expect(mail).toMatchObject({
      to: [{ address: "desk@cards.example" }],
      from: { address: "no-reply@localhost" },
      replyTo: [{ address: "ada@example.com" }],
      subject: "Message from Ada (localhost:3000)",
    });
    expect(mail.html).toBeUndefined();
    expect(mail.text).toContain("First line\n\nSecond – 名刺\n");
    expect(mail.text).toContain("From: Ada, ada@example.com\n");
    expect(mail.text).toContain("hasn’t been verified");
    expect(mail.cc ?? mail.bcc).toBeUndefined();
  });

  test("is stored while the mail server is down", async () => {
    const { services, send } = await openContact({ SMTP_URL: "smtp://127.0.0.1:1", CONTACT_TO: "desk@cards.example" });
    expect((await send(written)).status).toBe(303);
    await services.jobs.runDue();
    const jobs = await services.db.selectFrom("job").select(["kind", "tries", "payload"]).execute();
    expect(jobs).toEqual([{ kind: "mail", tries: 1, payload: expect.stringContaining(written.message) as string }]);
  });

  test("leads to a confirmation page that can be reloaded for an hour, and is sent once if sent again", async () => {
    const { time, visitor, send, openForm, mails } = await openContact();
    const formToken = await openForm();
    const where = (await send(written, { formToken })).headers.get("location") ?? "";
    expect((await send(written, { formToken })).status).toBe(303);
    expect(await mails()).toHaveLength(1);
    for (const _reload of [1, 2]) {
      const page = await (await visitor.get(where)).text();
      expect(page).toContain("Your message is on its way");
      expect(page).not.toContain("<textarea");
    }
    time.now += 3_600_000;
    expect(await (await visitor.get(where)).text()).toContain("<textarea");
    for (const sent of ["", "1", `${time.now}.x`, "%00"])
      expect(await (await visitor.get(`/contact?sent=${sent}`)).text()).not.toContain("on its way");
  });

  test("can't add headers or recipients to the mail", async () => {
    const { mails, send } = await openContact();
    const evil = "Ada\r\nBcc: eve@example.com\r\n\r\nbody";
    for (const email of ["a@example.com\r\nBcc: eve@example.com", "a@example.com, eve@example.com"])
      expect((await send({ ...written, email })).status).toBe(400);
    expect((await send({ ...written, name: evil, message: `${evil}\u0000` })).status).toBe(303);
    const [mail] = await mails();
    expect(mail).toMatchObject({
      to: "operator@localhost",
      subject: "Message from Ada Bcc: eve@example.com body (localhost:3000)",
    });
  });

  test("of a signed-in user has their address filled in, and the mail says it is theirs", async () => {
    const { services, signedIn, mails, send, time } = await openContact();
    const ada = await signedIn();
    const page = await (await ada.get("/contact")).text();
    expect(page).toContain(`value="${ada.email}"`);
    time.now += 5_000;
    await send({ ...written, email: ada.email }, { by: ada, formToken: tokenIn(page) });
    await services.jobs.runDue();
    expect((await mails())[0]?.text).toContain("They are signed in with this address.");
  });
});

describe("a refused form keeps what was typed", () => {
  test("with an error beside the field that is wrong, for any script", async () => {
    const { mails, send } = await openContact();
    for (const [field, value, message] of [
      ["email", "", "Enter your email address"],
      ["email", "ada@example", "Enter a valid email address"],
      ["message", "", "Enter a message."],
      ["message", "  Hello  ", "at least 10 characters"],
      ["message", "x".repeat(5_001), "at most 5,000 characters. You’ve used 5,001."],
      ["name", "x".repeat(101), "at most 100 characters"],
    ] as const) {
      const typed = { ...written, [field]: value };
      const page = await textWith(400, await send(typed));
      expect(page).toContain(message);
      const invalid = readElements(page).filter(({ attributes }) => attributes["aria-invalid"] === "true");
      expect(invalid.map(({ attributes }) => attributes["name"])).toEqual([field]);
      for (const text of Object.values(typed)) expect(page).toContain(text);
    }
    expect(await mails()).toEqual([]);
    expect((await send({ ...written, message: "👋".repeat(5_000) })).status).toBe(303);
    expect(await mails()).toHaveLength(1);
  });

  test("says when the limit allows another message, and lets other networks write", async () => {
    const { send, logLines } = await openContact({ TRUSTED_PROXY: "127.0.0.1" });
    const from = (address: string, n: number) =>
      send({ ...written, email: `p${n}@example.com` }, { headers: { "x-forwarded-for": address } });
    for (let n = 0; n < 10; n++) expect((await from("203.0.113.1", n)).status).toBe(303);
    const refused = await from("203.0.113.1", 10);
    expect(refused.status).toBe(429);
    const event = { security: "limit-reached", limit: "contact messages from a network" };
    expect(logLines.filter((line) => "security" in line)).toEqual([expect.objectContaining(event)]);
    const page = await refused.text();
    expect(page).toContain(written.message);
    expect(page).toMatch(/Try again in \d+ minutes/);
    expect((await from("2001:db8::1", 11)).status).toBe(303);
  });
});

describe("bots", () => {
  test("that fill in the honeypot get the usual response, and nothing is sent", async () => {
    const { mails, send, visitor, logLines } = await openContact();
    const answer = await send({ ...written, website: "https://spam.example" });
    expect(answer.status).toBe(303);
    expect(await (await visitor.get(answer.headers.get("location") ?? "")).text()).toContain("on its way");
    expect(await mails()).toEqual([]);
    expect(JSON.stringify(logLines)).not.toContain("spam.example");
  });

  test("that are too quick or send a forged form token must submit again, and so must a page that was open for days", async () => {
    const { time, mails, send, openForm } = await openContact();
    expect(await textWith(400, await send(written, { after: 500 }))).toContain("That was fast");
    for (const formToken of ["", "1.x", `${time.now - 60_000}.AAAA`])
      expect((await send(written, { formToken })).status).toBe(400);
    const page = await textWith(400, await send(written, { formToken: await openForm(), after: 25 * 3_600_000 }));
    for (const text of ["This page was open for a long time", written.message]) expect(page).toContain(text);
    expect(await mails()).toEqual([]);
    // A person presses the button again at once.
    expect((await send(written, { formToken: tokenIn(page), after: 200 })).status).toBe(303);
    expect(await mails()).toHaveLength(1);
  });
});

describe("an installation that can't receive messages", () => {
  test("says so, shows no form and refuses submissions", async () => {
    const { visitor, services, send } = await openContact({ BASE_URL: "https://cards.example.com" });
    const page = await (await visitor.get("/contact")).text();
    expect(page).toContain("The contact form isn’t set up");
    expect(page).not.toContain("<textarea");
    expect((await send(written)).status).toBe(503);
    expect(await services.db.selectFrom("job").selectAll().execute()).toEqual([]);
  });

  test("needs the operator's address besides a mail server", async () => {
    const env = { BASE_URL: "https://cards.example.com", SMTP_URL: "smtp://127.0.0.1:1" };
    expect(await (await (await openContact(env)).visitor.get("/contact")).text()).not.toContain("<textarea");
    const operator = { name: "Example Cards Ltd", email: "hello@cards.example" };
    const { visitor, services, send } = await openContact({
      ...env,
      DATA_DIR: contentFolder({ "site.json": { operator } }),
    });
    const page = await (await visitor.get("/contact")).text();
    for (const text of ["<textarea", "Example Cards Ltd"]) expect(page).toContain(text);
    expect((await send(written)).status).toBe(303);
    const { payload } = await services.db.selectFrom("job").select("payload").executeTakeFirstOrThrow();
    expect(JSON.parse(payload)).toMatchObject({ to: "hello@cards.example", replyTo: "ada@example.com" });
  });
});

/** A visitor at the contact page, and a clock that the test moves. */
async function openContact(env: Record<string, string> = {}) {
  const time = { now: Date.now() };
  const app: TestApp = await createTestApp({ env, clock: () => time.now });
  const visitor = app.visitor();
  const openForm = async () => tokenIn(await (await visitor.get("/contact")).text());

  type How = { formToken?: string; by?: Pick<Visitor, "post">; after?: number; headers?: Record<string, string> };
  async function send(
    fields: Record<string, string>,
    { formToken, by = visitor, after = 5_000, headers = {} }: How = {},
  ) {
    const given = formToken ?? (await openForm());
    time.now += after;
    return by.post("/contact", { ...fields, formToken: given }, headers);
  }
  return { ...app, visitor, time, openForm, send };
}

function tokenIn(page: string): string {
  return /name="formToken" value="([^"]*)"/.exec(page)?.[1] ?? "";
}
