import { expect, test } from "vitest";

import { settings } from "#app/services/config/settings.ts";
import { features } from "#server/features.ts";
import { runMaintenance } from "#server/maintenance.ts";
import { adminEmail, createOperatedApp } from "#tests/support/admin/operated-app.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { visibleText } from "#tests/support/app/responses.ts";
import { listRoutes } from "#tests/support/app/route-table.ts";
import { openSmtpServer } from "#tests/support/app/smtp-server.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";
import { changeAll, proveAgo } from "#tests/support/database/account-rows.ts";
import { clientEmail, issuerId, openGoogleWalletDouble } from "#tests/support/providers/google-wallet/wallet-double.ts";
import { buyPremium } from "#tests/support/providers/stripe/stripe-app.ts";
import { openStripe } from "#tests/support/providers/stripe/stripe-double.ts";

/** Of an account that doesn't exist: what decides comes before. */
const id = "3f1c7f2e-0000-4000-8000-000000000000";
const paths = listRoutes()
  .map(({ path }) => path.replace(":id", id))
  .filter((path) => /^\/admin(\/|$)/.test(path));

/** What a page says, without what differs in each response. */
async function textOf(response: Response, path: string): Promise<string> {
  const html = await response.text();
  return html
    .replaceAll(path, "(path)")
    .replaceAll(/nonce="[^"]*"|[\da-f]{8}-[\da-f-]{27}|"requestId",[^,]*|<!--.*?-->/g, "");
}

test("everyone but an operator gets the page for unknown addresses, for each way to ask", async () => {
  const { signedIn, signedUp, visitor } = await createOperatedApp();
  const ada = await signedIn("ada@example.com");
  expect(paths.length).toBeGreaterThan(3);
  for (const person of [visitor(), ada, await signedUp("bob@example.com")]) {
    // Shows the message of the sign-up.
    await person.get("/");
    const unknown = await person.get("/no/such/page");
    const expected = await textOf(unknown, "/no/such/page");
    for (const path of paths) {
      for (const variant of [path, `${path}.data`]) expect((await person.get(variant)).status, variant).toBe(404);
      const response = await person.get(path);
      expect(await textOf(response, path), path).toBe(expected);
      expect((await person.post(path, { intent: "block", reason: "x" })).status, path).toBe(404);
    }
  }
});

test("without ADMIN_EMAILS no one is an operator, and with it no one whose email isn't confirmed", async () => {
  const { signedIn } = await createTestApp();
  const ada = await signedIn(adminEmail);
  const { admin, services } = await createOperatedApp();
  await changeAll(services, "user", { emailVerified: 0 });
  for (const path of paths)
    expect([path, (await ada.get(path)).status, (await admin.get(path)).status]).toEqual([path, 404, 404]);
  expect(await (await admin.get("/account")).text()).not.toContain("/admin/users");
});

test("an operator without a confirmed second factor is asked to turn it on, and nothing else opens", async () => {
  const { admin, services } = await createOperatedApp();
  await services.db.updateTable("second_factor").set({ enabled_at: null }).execute();
  expect((await admin.get("/admin/users")).headers.get("location")).toBe("/admin/two-step");
  await services.db.deleteFrom("second_factor").execute();
  for (const path of paths.filter((one) => one !== "/admin/two-step")) {
    expect((await admin.get(path)).headers.get("location"), path).toBe("/admin/two-step");
    expect((await admin.post(path, { intent: "block" })).headers.get("location"), path).toBe("/admin/two-step");
  }
  const page = await admin.get("/admin/two-step");
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('href="/account/two-step"');
});

test("an operator proves who they are before a page opens, and a late action changes nothing and keeps its text", async () => {
  const app = await createOperatedApp();
  const { admin, signedIn } = app;
  const ada = await signedIn("ada@example.com");
  const user = `/admin/users/${await userIdOf(ada)}`;
  await proveAgo(app.services, 11);
  for (const path of ["/admin/users?q=ada", user, "/admin/log"]) {
    const { searchParams } = new URL((await admin.get(path)).headers.get("location") ?? "", "http://localhost");
    expect(searchParams.get("returnTo")).toBe(path);
  }
  const late = await admin.post(user, { intent: "block", reason: "Sells spam" });
  expect(late.status).toBe(403);
  const html = await late.text();
  expect(html).toContain("First confirm it’s you");
  expect(html).toContain('value="Sells spam"');
  for (const text of ["ada@example.com", ">Sessions<", ">Plan<"]) expect(html).not.toContain(text);
  const unknown = await admin.post(`/admin/users/${id}`, { intent: "block", reason: "Sells spam" });
  expect(unknown.status).toBe(403);
  expect((await ada.get("/account")).status).toBe(200);
});

test("only an operator's menu has the link to the admin pages, whose actions other sites can't send", async () => {
  const { admin, signedIn } = await createOperatedApp();
  const ada = await signedIn("ada@example.com");
  expect(await (await admin.get("/account")).text()).toContain('href="/admin/users"');
  expect(await (await ada.get("/account")).text()).not.toContain("/admin/users");
  const path = `/admin/users/${await userIdOf(ada)}`;
  const forged = await admin.post(path, { intent: "block", reason: "x" }, { origin: "https://evil.example" });
  expect(forged.status).toBe(403);
  expect((await ada.get("/account")).status).toBe(200);
});

test("the setup page names the settings and each provider's callback address, and no secret", async () => {
  const secrets = { GOOGLE_CLIENT_SECRET: "s3cret-of-google", SMTP_URL: "smtp://user:s3cret-of-mail@127.0.0.1:1" };
  const env = { ...secrets, GOOGLE_CLIENT_ID: "id-of-google", TRUSTED_PROXY: "10.0.0.2" };
  const { admin } = await createOperatedApp(env);
  const html = await (await admin.get("/admin/setup")).text();
  for (const id of ["google", "apple", "sso", "github", "linkedin_oidc", "twitch", "spotify", "slack", "facebook"])
    expect(html).toContain(`http://localhost:3000/api/auth/callback/${id}<`);
  for (const text of [
    "Sent through 127.0.0.1:1",
    "This request came from 127.0.0.1.",
    "Trusted: 10.0.0.2.",
    "SQLite in DATA_DIR",
    "Not offered. Callback address: http://localhost:3000/integrations/callback/microsoft<",
    ">OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET<",
    ">APPLE_CLIENT_ID, APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY<",
  ])
    expect(html).toContain(text);
  const grouped = settings.filter(({ group }) => group !== undefined && group !== "Single sign-on");
  expect(grouped.filter(({ env }) => !html.includes(env))).toEqual([]);
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
  await proveAgo(app.services, 11);
  expect((await send()).headers.get("location")).toBe("/account/verify?returnTo=%2Fadmin%2Fsetup");
  expect(await app.mails()).toHaveLength(1);
});

type App = Awaited<ReturnType<typeof createOperatedApp>>;

const readPage = async ({ admin }: Pick<App, "admin">) => visibleText(await (await admin.get("/admin/billing")).text());

test("the billing page shows what is sold, and when it was last compared with Stripe", async () => {
  const stripe = await openStripe();
  const app = await createOperatedApp(stripe.env);
  expect(await readPage(app)).toContain("Active 0");
  expect(await readPage(app)).toContain("It has never run.");
  await buyPremium(await app.signedIn("ada@example.com"), stripe);
  await buyPremium(await app.signedIn("bob@example.com"), stripe, "yearly");
  const text = await readPage(app);
  // $7.99, and a twelfth of $80.
  for (const shown of ["Active 2", "Trialing 0", "$14.66", "There were no subscriptions 30 days ago."])
    expect(text).toContain(shown);

  const [subscription] = stripe.state.subscriptions.values();
  if (subscription) stripe.billing.end(subscription);
  await runMaintenance(app.services.features, app.services);
  await app.services.jobs.runDue();
  const compared = await readPage(app);
  for (const shown of ["Active 1", "$6.67", "Compared 2 subscriptions Read again 1 customer"])
    expect(compared).toContain(shown);
});

test("the billing page reports a comparison that failed", async () => {
  const stripe = await openStripe();
  const app = await createOperatedApp(stripe.env);
  stripe.health = "refuses";
  await runMaintenance(app.services.features, app.services);
  await app.services.jobs.runDue();
  const text = await readPage(app);
  expect(text).toContain("The latest comparison failed Your account cannot currently make charges.");
  expect(text).toContain("It will be tried again.");
});

test("without Stripe, and where everyone has Premium, the billing page says that nothing is sold", async () => {
  expect(await readPage(await createOperatedApp())).toContain("npm run billing -- setup");
  const text = await readPage(await createOperatedApp({ PLAN_FOR_EVERYONE: "premium" }));
  expect(text).toContain("Everyone has Premium here");
  expect(text).not.toContain("Trialing 0");
});
