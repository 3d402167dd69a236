import { expect, test } from "vitest";

import { createOperatedApp, makeProofsStale } from "#tests/support/admin/operated-app.ts";
import { clientEmail, issuerId, openGoogleWalletDouble } from "#tests/support/providers/google-wallet/wallet-double.ts";
import { openSmtpServer } from "#tests/support/app/smtp-server.ts";

test("the setup page names each provider's callback address, and no secret", async () => {
  const secrets = { GOOGLE_CLIENT_SECRET: "s3cret-of-google", SMTP_URL: "smtp://user:s3cret-of-mail@127.0.0.1:1" };
  const { admin } = await createOperatedApp({
    GOOGLE_CLIENT_ID: "id-of-google",
    ...secrets,
    TRUSTED_PROXY: "10.0.0.2",
  });
  const html = await (await admin.get("/admin/setup")).text();
  for (const id of ["google", "apple", "sso", "github", "linkedin_oidc", "twitch", "spotify", "slack", "facebook"])
    expect(html).toContain(`http://localhost:3000/api/auth/callback/${id}<`);
  for (const text of [
    "Sent through 127.0.0.1:1",
    "This request came from 127.0.0.1.",
    "Trusted: 10.0.0.2.",
    "SQLite in DATA_DIR",
  ])
    expect(html).toContain(text);
  expect(html).not.toMatch(/s3cret|id-of-google/);
});

test("the setup page says who issues Google Wallet passes, or what is wrong", async () => {
  const { env } = await openGoogleWalletDouble();
  const pageOf = async (settings: Record<string, string>) =>
    (await (await createOperatedApp(settings)).admin.get("/admin/setup")).text();
  expect(await pageOf(env)).toContain(`Issuer ${issuerId}, as ${clientEmail}.`);
  const wrong = await pageOf({ ...env, GOOGLE_WALLET_SERVICE_ACCOUNT: "gone.json" });
  expect(wrong).toContain("GOOGLE_WALLET_SERVICE_ACCOUNT must be the path of a JSON file that can be read.");
});

test("a test email goes to the operator's own address through the real server", async () => {
  await using server = await openSmtpServer();
  const { admin } = await createOperatedApp({ SMTP_URL: server.url });
  const sent = await admin.post("/admin/setup", { intent: "test-mail", to: "eve@example.com" });
  expect(sent.status).toBe(200);
  expect(await sent.text()).toContain("The mail server accepted the email");
  const mail = server.received.find((one) => one.includes("Test email from Meishi"))?.toString() ?? "";
  expect(mail).toContain("To: operator@example.com");
  expect(mail).not.toContain("eve@example.com");
});

test("a mail server that can't be reached is reported as it is, without the password", async () => {
  const { admin } = await createOperatedApp({ SMTP_URL: "smtp://user:s3cret@127.0.0.1:1" });
  const failed = await admin.post("/admin/setup", { intent: "test-mail" });
  expect(failed.status).toBe(502);
  const html = await failed.text();
  expect(html).toContain("ECONNREFUSED");
  expect(html).not.toContain("s3cret");
});

test("without a mail server the test email is stored", async () => {
  const { admin, mails } = await createOperatedApp();
  expect(await (await admin.post("/admin/setup", { intent: "test-mail" })).text()).toContain("The email was stored");
  expect((await mails())[0]).toMatchObject({ to: "operator@example.com" });
});

test("a test email needs a recent proof of identity", async () => {
  const app = await createOperatedApp();
  await makeProofsStale(app);
  const late = await app.admin.post("/admin/setup", { intent: "test-mail" });
  expect(late.headers.get("location")).toBe("/account/verify?returnTo=%2Fadmin%2Fsetup");
  expect(await app.mails()).toEqual([]);
});
