import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

import { stripeProblem } from "#app/features/billing/operator/stripe-setup-messages.ts";
import { setUpStripe } from "#app/features/billing/operator/stripe-setup.server.ts";
import { environment } from "#app/services/config/config.server.ts";
import { openClient } from "#app/services/stripe/stripe.server.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { checkPass } from "#tests/support/fixtures/wallet/check-pass.ts";
import { addPasskey, insertAccount, rowsOf, withDatabase } from "#tests/support/program/database.ts";
import { startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";
import { signUpAt, visitorOf, waitForMail } from "#tests/support/program/users.ts";
import { openStripe } from "#tests/support/providers/stripe/stripe-double.ts";

/** Runs a command of the built program, with nothing but these settings. */
function runCommand(name: string, args: string[], { cwd, ...env }: Record<string, string>) {
  const file = join(import.meta.dirname, `../../build/server/${name}.js`);
  return promisify(execFile)(process.execPath, [file, ...args], { cwd, env: { PATH: environment().PATH, ...env } });
}

let program: Program;
beforeAll(async () => {
  program = await startProgram();
  await program.isUp();
});
afterAll(() => program.remove());

/** Runs the command beside the program, with the same settings; returns what it prints. */
async function run(...args: string[]): Promise<string> {
  return (await runCommand("account", args, { DATA_DIR: program.dataDir, BASE_URL: program.url })).stdout;
}

const listActions = (ownerId: string) =>
  rowsOf(
    program,
    "select action, detail, admin_id from operator_log where owner_id = ? order by created_at",
    ownerId,
  ).map((row) => Object.values(row));

test("account invites an address, and says what is known of it", async () => {
  expect(await run("invite", "Grace@Example.com")).toBe("grace@example.com gets an invitation by email.\n");
  await expect.poll(() => waitForMail(program, "grace@example.com")).toContain("/auth/invitation?token=");
  expect(await run("invite", "grace@example.com")).toContain("was invited before");
  await expect(run("invite", "grace@")).rejects.toThrow("Not an email address: grace@");
});

test("vacuum makes the database smaller while the program runs, and says by how much", async () => {
  withDatabase(program.dataDir, (database) => {
    database.prepare("insert into setting values ('large', ?)").run("a".repeat(3_000_000));
    database.exec("delete from setting where name = 'large'");
  });
  const { stdout } = await runCommand("vacuum", [], { DATA_DIR: program.dataDir });
  expect(stdout).toMatch(/^Done\. Freed [23] MB: \S+meishi\.db had \d+ MB and now has \d+ (kB|MB)\.\n$/);
  expect((await visitorOf(program).get("/readyz")).status).toBe(200);
  const missing = runCommand("vacuum", [], { DATA_DIR: join(program.dataDir, "none") });
  await expect(missing).rejects.toThrow("meishi.db doesn't exist. Check DATA_DIR.");
  expect((await runCommand("vacuum", ["--help"], {})).stdout).toContain("Usage: npm run vacuum");
});

test("account blocks, unblocks, signs out and deletes an account of the running program, and logs it", async () => {
  const ada = await signUpAt(program, "ada@example.com");
  const page = async () => (await visitorOf(program).get(`/u/${ada.id}`)).status;
  const account = async () => (await ada.get("/account")).status;
  const form = { intent: "log-in", email: ada.email, password: ada.password };
  const signIn = async () => (await ada.post("/auth", form)).status;
  expect(await page()).toBe(200);

  expect(await run("block", "Ada@Example.com", "Sells", "spam")).toContain("is blocked");
  expect([await account(), await signIn()]).toEqual([302, 403]);
  await expect.poll(page).toBe(404);
  await run("unblock", ada.email);
  await expect.poll(page).toBe(200);

  expect([await signIn(), await account()]).toEqual([302, 200]);
  await run("sign-out", ada.email);
  expect(await account()).toBe(302);

  expect(listActions(ada.id)).toEqual([
    ["block", "Sells spam", ""],
    ["unblock", "", ""],
    ["sign-out", "", ""],
  ]);
  withDatabase(program.dataDir, (database) => {
    const lead =
      "insert into lead (id, owner_id, card_id, name, created_at, received_at, expires_at) values (?, ?, ?, ?, 1, 1, ?)";
    database.prepare(lead).run("lead", ada.id, "card", "Eve Visitor", Date.now() + 86_400_000);
  });
  await run("delete", ada.email);
  await expect.poll(page).toBe(404);
  expect(await signIn()).toBe(400);
  await expect.poll(() => waitForMail(program, ada.email)).toContain("Your account was deleted");
  expect(listActions(ada.id).at(-1)?.[0]).toBe("delete");
  await expect.poll(() => rowsOf(program, "select name from lead where owner_id = ?", ada.id)).toEqual([]);
});

test("account grants Premium until a day, revokes it, and resets two-step verification", async () => {
  const { id, name, value } = await insertAccount(program, "bob@example.com");
  addPasskey(program, id);
  const account = async () =>
    (await fetch(`${program.url}/account`, { redirect: "manual", headers: { cookie: `${name}=${value}` } })).status;
  const hasBranding = async () =>
    (await (await visitorOf(program).get(`/u/${id}`)).text()).includes("Made with Meishi");
  await fetch(`${program.url}/profile`, { headers: { cookie: `${name}=${value}` } });
  expect(await hasBranding()).toBe(true);
  expect(await run("grant", "bob@example.com", "premium", "2039-12-31")).toContain("has Premium");
  await expect.poll(hasBranding).toBe(false);
  expect(await waitForMail(program, "bob@example.com")).toContain("You have Premium until December 31, 2039");
  expect(await run("revoke", "bob@example.com")).toContain("no longer has the Premium");
  await expect.poll(hasBranding).toBe(true);
  expect(await run("revoke", "bob@example.com")).toContain("Nothing was changed.");

  expect(await account()).toBe(200);
  expect(await run("reset-2fa", "bob@example.com")).toContain("is off, its passkeys are removed");
  expect(await account()).toBe(302);
  await expect.poll(() => waitForMail(program, "bob@example.com")).toContain("Two-step verification was reset");
  expect(listActions(id).map(([action]) => action)).toEqual(["grant", "revoke", "reset-two-step"]);
});

test("account confirms an email and asks its owner to set a password", async () => {
  const form = { email: "cy@example.com", password: "a stranger's word" };
  await visitorOf(program).post("/auth?tab=signup", { intent: "sign-up", ...form });
  expect(await run("confirm", form.email)).toContain("cy@example.com is confirmed.");
  await expect.poll(() => waitForMail(program, form.email)).toContain("set a password");
  expect((await visitorOf(program).post("/auth", { intent: "log-in", ...form })).status).toBe(400);
});

test.runIf(listEngines().includes("postgres"))("account works on PostgreSQL", async () => {
  const { databaseUrl: DATABASE_URL = "" } = await makeDatabase("postgres");
  const { signedIn, services, dataDir } = await createTestApp({ env: { DATABASE_URL } });
  const ada = await signedIn();
  await runCommand("account", ["block", ada.email], { DATA_DIR: dataDir, BASE_URL: program.url, DATABASE_URL });
  expect((await ada.get("/account")).status).toBe(302);
  expect(await services.db.selectFrom("operator_log").select(["action", "detail"]).execute()).toEqual([
    { action: "block", detail: "Blocked on the command line" },
  ]);
});

test("account explains itself, and refuses what it doesn't know", async () => {
  const help = await run("--help");
  for (const name of ["reset-2fa", "block", "unblock", "confirm", "grant", "revoke", "sign-out", "delete"])
    expect(help).toContain(name);
  await expect(run("reset-2fa", "nobody@example.com")).rejects.toThrow("No account has the email");
  for (const args of [
    ["delete", "ada"],
    ["delete", "a@b.c", "now"],
    ["grant", "a@b.c", "gold"],
  ])
    await expect(run(...args)).rejects.toThrow("Usage: npm run account -- <command> <email>");
  await expect(run("grant", "a@b.c", "premium", "2020-01-01")).rejects.toThrow("a day that isn’t over");
  await expect(run("block", "a@b.c", "x".repeat(201))).rejects.toThrow("at most 200 characters");
});

/** The command of the built program, for a new account at Stripe. */
async function openCommand() {
  const stripe = await openStripe({ isNew: true });
  const own = { STRIPE_SECRET_KEY: stripe.env.STRIPE_SECRET_KEY, STRIPE_API_URL: stripe.url };
  const run = (args: string, more: Record<string, string> = {}) =>
    runCommand("billing", args.split(" "), { BASE_URL: "https://cards.example.com", ...own, ...more });
  return { stripe, run, writes: () => stripe.requests.filter((request) => !request.startsWith("GET ")) };
}

test("billing setup prints the settings, a second run changes nothing, and check accepts them", async () => {
  const { run, writes } = await openCommand();
  const first = await run("setup");
  const lines = first.stdout.trim().split("\n");
  const settings = Object.fromEntries(lines.map((line) => line.split("=", 2)));
  expect(Object.keys(settings)).toEqual([
    "STRIPE_PRICE_MONTHLY",
    "STRIPE_PRICE_YEARLY",
    "STRIPE_PORTAL_CONFIGURATION",
    "STRIPE_WEBHOOK_SECRET",
  ]);
  expect(writes()).toHaveLength(5);

  const second = await run("setup");
  expect(lines.slice(0, 3).join("\n")).toBe(second.stdout.trim());
  expect(second.stderr).toContain("Nothing was changed.");
  expect(second.stderr).toContain("--new-webhook-secret");
  expect(writes()).toHaveLength(5);

  expect((await run("check", settings)).stdout).toContain("as they should be");
  const other = { ...settings, STRIPE_PRICE_MONTHLY: "price_other" };
  await expect(run("check", other)).rejects.toThrow(`STRIPE_PRICE_MONTHLY should be ${settings.STRIPE_PRICE_MONTHLY}`);
  for (const { stdout, stderr } of [first, second]) expect(stdout + stderr).not.toContain("sk_test_double");
});

test("billing says what is wrong in the operator's words, and creates nothing", async () => {
  const { stripe, run, writes } = await openCommand();
  const problems: [args: string, more: Record<string, string>, text: string][] = [
    ["setup", { STRIPE_SECRET_KEY: "pk_live_x" }, "must be a secret key"],
    ["setup", { STRIPE_SECRET_KEY: "rk_test_double" }, "has no permission for product_write"],
    ["setup", { BASE_URL: "http://cards.example.com" }, "only to public addresses with HTTPS"],
    ["setup", { PLAN_FOR_EVERYONE: "premium" }, "there is nothing to sell"],
    ["check", {}, "must also be set"],
    ["check --new-webhook-secret", {}, "Usage: npm run billing"],
  ];
  for (const [args, more, text] of problems) {
    const error: unknown = await run(args, more).then(String, (failure: unknown) => failure);
    expect(error, text).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(text) });
    expect(JSON.stringify(error), text).not.toMatch(/uble'|sk_test_wrong/);
  }
  for (const [secretKey, apiUrl, text] of [
    ["sk_test_wrong", stripe.url, "Stripe doesn't accept STRIPE_SECRET_KEY"],
    ["sk_test_double", "http://127.0.0.1:9", "Stripe can't be reached"],
  ] as const) {
    const setUp = setUpStripe(await openClient({ secretKey, apiUrl }), {
      baseUrl: "https://cards.example.com",
      apply: true,
      webhook: "keep",
    });
    const problem = await setUp.then(String, stripeProblem);
    expect(problem).toContain(text);
    expect(problem).not.toContain(secretKey);
  }
  expect(writes()).toEqual([]);
});

test("billing setup works without a webhook endpoint, for a machine that Stripe can't reach", async () => {
  const { stripe, run } = await openCommand();
  const { stdout } = await run("setup --without-webhook", { BASE_URL: "http://localhost:3000" });
  expect(stdout.trim().split("\n")).toHaveLength(3);
  expect(stripe.state.webhookEndpoints.size).toBe(0);
});

test("wallet demo-certificates writes settings with which check makes a good pass, and replaces nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "meishi-wallet-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const run = (args: string[], env = {}) => runCommand("wallet", args, { cwd: folder, ...env });
  expect((await run(["demo-certificates", "certificates"])).stdout).toContain("settings.env");
  await expect(run(["demo-certificates", "certificates"])).rejects.toMatchObject({
    stderr: expect.stringContaining("EEXIST"),
  });
  const text = readFileSync(join(folder, "certificates/settings.env"), "utf8");
  expect(text).toMatch(/^# DEMO certificates for development only/);
  const lines = text.split("\n").filter((line) => line.includes("=") && !line.startsWith("#"));
  const settings = Object.fromEntries(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  expect((await run(["check"], settings)).stdout).toContain("The settings are right: pass.example.meishi.demo");
  const root = readFileSync(join(folder, "certificates/demo-root.pem"), "utf8");
  expect((await checkPass(readFileSync(join(folder, "sample.pkpass")), root)).problems).toEqual([]);
  await expect(run(["check"], { ...settings, APPLE_PASS_PASSWORD: "wrong" })).rejects.toMatchObject({
    stderr: expect.stringMatching(/^APPLE_PASS_PASSWORD is not the password/),
  });
  await expect(run(["check"])).rejects.toMatchObject({ stderr: expect.stringContaining("isn't set") });
  await expect(run(["cheque"])).rejects.toMatchObject({ stderr: expect.stringContaining("Usage: npm run wallet") });
});
