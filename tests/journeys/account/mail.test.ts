import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";

import { firstLink } from "#tests/support/app/responses.ts";
import { openSmtpServer } from "#tests/support/app/smtp-server.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { locationOf, readPage } from "#tests/support/app/visitor.ts";

const signUp = { intent: "sign-up", email: "ada@example.com", password: "tea with Charles" };

describe("the local mailbox", () => {
  test("lists mails newest first, shows them with clickable links, and is only accessible from this machine", async () => {
    const { app, visitor, mails } = await createTestApp();
    expect(await readPage(visitor(), "/dev/mail")).toContain("No emails yet");
    await visitor().post("/auth?tab=signup", signUp);
    await visitor().post("/forgot-password", { email: signUp.email });
    const [newest, oldest] = (await mails()).map(({ name }) => name);
    const list = await readPage(visitor(), "/dev/mail");
    expect(list).toMatch(new RegExp(`${newest}[^]*${oldest}`));
    const page = await readPage(visitor(), `/dev/mail/${newest}`);
    expect(page).toContain("Set a new password for Meishi");
    expect(page).toMatch(/<a href="http:\/\/localhost:3000\/reset-password\?token=[\w-]+"/);

    const statusFrom = async (
      path: string,
      { address = "127.0.0.1", origin = "http://localhost:3000", headers = {} } = {},
    ) =>
      (await app.request(`${origin}${path}`, { headers }, { incoming: { socket: { remoteAddress: address } } })).status;
    for (const path of ["/dev/mail", `/dev/mail/${newest}`]) {
      expect(await statusFrom(path, { address: "::1" })).toBe(200);
      expect(await statusFrom(path, { address: "192.0.2.7" })).toBe(404);
      expect(await statusFrom(path, { headers: { "x-forwarded-for": "127.0.0.1" } })).toBe(404);
      expect(await statusFrom(path, { origin: "http://rebound.example:3000" })).toBe(404);
    }
    for (const name of ["..%2f..%2fmeishi.db", "nothing.eml", "%00"])
      expect(await statusFrom(`/dev/mail/${name}`)).toBe(404);
  });

  test.each<Record<string, string>>([{ BASE_URL: "https://cards.example.com" }, { SMTP_URL: "smtp://127.0.0.1:4299" }])(
    "is nowhere with %o",
    async (env) => {
      const { visitor } = await createTestApp({ env });
      for (const path of ["/dev/mail", "/dev/mail/2026-01-01T00-00.eml"])
        expect((await visitor().get(path)).status).toBe(404);
    },
  );
});

test("without configured mail, sign-up and password reset say so and do nothing", async () => {
  const { visitor, services } = await createTestApp({ env: { BASE_URL: "https://cards.example.com" } });
  for (const path of ["/auth?tab=signup", "/forgot-password"]) {
    const page = await readPage(visitor(), path);
    expect(page).toContain("Email isn&#x27;t set up on this server");
    expect(page).toMatch(/<fieldset[^>]* disabled=""/);
    const sent = await visitor().post(path, signUp);
    expect(sent.status).toBe(503);
    expect(await sent.text()).toContain("Email isn&#x27;t set up on this server");
  }
  expect(await services.db.selectFrom("job").selectAll().execute()).toEqual([]);
  expect(await readPage(visitor(), "/auth")).not.toContain("isn&#x27;t set up");
});

describe("with a mail server", () => {
  test("a mail is sent as text and HTML, and no page mentions the mailbox", async () => {
    await using server = await openSmtpServer();
    const env = { SMTP_URL: server.url, MAIL_FROM: "Cards <cards@example.com>" };
    const { visitor, services } = await createTestApp({ env });
    const user = visitor();
    const page = await (await user.post("/auth?tab=signup", signUp)).text();
    expect(page).toContain("Check your email for the confirmation link!");
    expect(page).not.toContain("/dev/mail");
    await services.jobs.runDue();
    const mail = await PostalMime.parse(server.received[0] ?? "");
    expect(mail).toMatchObject({ from: { name: "Cards" }, to: [{ address: signUp.email }] });
    const link = /http:\/\/localhost:3000\/auth\/confirm\?token=[\w.-]+/.exec(mail.text ?? "")?.[0];
    expect(mail.html).toContain(`href="${link}"`);
    expect(locationOf(await user.post(firstLink(link), {}))).toBe("/start");
  });

  test("that is down the form succeeds and the mail waits", async () => {
    const { visitor, services } = await createTestApp({ env: { SMTP_URL: "smtp://127.0.0.1:1" } });
    expect((await visitor().post("/auth?tab=signup", signUp)).status).toBe(200);
    await services.jobs.runDue();
    const waiting = await services.db.selectFrom("job").select(["kind", "tries"]).execute();
    expect(waiting).toEqual([{ kind: "mail", tries: 1 }]);
  });
});
