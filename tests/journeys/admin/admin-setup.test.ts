import { expect, test } from "vitest";

import { features } from "#server/features.ts";
import { runMaintenance } from "#server/maintenance.ts";
import { createOperatedApp, makeProofsStale } from "#tests/support/admin/operated-app.ts";
import { clientEmail, issuerId, openGoogleWalletDouble } from "#tests/support/providers/google-wallet/wallet-double.ts";
import { openSmtpServer } from "#tests/support/app/smtp-server.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";

test("the setup page names each provider's callback address, and no secret", async () => {
  const secrets = { GOOGLE_CLIENT_SECRET: "s3cret-of-google", SMTP_URL: "smtp://user:s3cret-of-mail@127.0.0.1:1" };
  const settings = { ...secrets, GOOGLE_CLIENT_ID: "id-of-google", TRUSTED_PROXY: "10.0.0.2" };
  const { admin } = await createOperatedApp(settings);
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

test("the setup page says who issues passes, or what is wrong, and no key", async () => {
  const pageOf = async (settings: Record<string, string>) =>
    (await (await createOperatedApp(settings)).admin.get("/admin/setup")).text();
  expect(await pageOf({})).toContain("No certificate, so no card offers a pass.");
  const { env } = await openGoogleWalletDouble();
  const good = await pageOf({ ...walletSettings, ...env });
  expect(good).toMatch(/pass\.example\.card\. The certificates are valid until \w+ \d+, \d{4}\./);
  expect(good).toContain(`Issuer ${issuerId}, as ${clientEmail}.`);
  expect(good).not.toContain("-----BEGIN");
  const wrong = { APPLE_PASS_TYPE_ID: "pass.other", GOOGLE_WALLET_SERVICE_ACCOUNT: "gone.json" };
  const bad = await pageOf({ ...walletSettings, ...env, ...wrong });
  expect(bad).toContain("No passes: APPLE_PASS_CERTIFICATE is for the pass type pass.example.card");
  expect(bad).toContain("GOOGLE_WALLET_SERVICE_ACCOUNT must be the path of a JSON file that can be read.");
});

test("operators get a mail 30 and 7 days before a certificate expires, once each", async () => {
  const day = 24 * 60 * 60_000;
  const end = Date.now() + 364 * day;
  let now = Date.now();
  const env = { ...walletSettings, ADMIN_EMAILS: "operator@example.com, second@example.com" };
  const { services, mails } = await createTestApp({ env, clock: () => now });
  const counts = [];
  for (const daysLeft of [40, 32, 28, 20, 8, 5, 2, -3]) {
    now = end - daysLeft * day;
    for (let run = 0; run < 2; run++) await runMaintenance(features, services);
    const subjects = (await mails()).map(({ subject }) => subject);
    counts.push(subjects.filter((text) => text.startsWith("The certificate for wallet passes expires on")).length);
  }
  expect(counts).toEqual([0, 0, 2, 2, 2, 4, 4, 4]);
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

test("without a mail server the test email is stored, after a recent proof of identity", async () => {
  const app = await createOperatedApp();
  const send = () => app.admin.post("/admin/setup", { intent: "test-mail" });
  expect(await (await send()).text()).toContain("The email was stored");
  expect(await app.mails()).toMatchObject([{ to: "operator@example.com" }]);
  await makeProofsStale(app);
  expect((await send()).headers.get("location")).toBe("/account/verify?returnTo=%2Fadmin%2Fsetup");
  expect(await app.mails()).toHaveLength(1);
});
