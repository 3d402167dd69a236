import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { stripeProblem } from "#app/features/billing/operator/stripe-setup-messages.ts";
import { setUpStripe } from "#app/features/billing/operator/stripe-setup.server.ts";
import { environment } from "#app/services/config/config.server.ts";
import { openClient } from "#app/services/stripe/stripe.server.ts";
import { openStripe } from "#tests/support/providers/stripe/stripe-double.ts";

const file = join(import.meta.dirname, "../../build/server/billing.js");

/** The command of the built program, for a new account at Stripe. */
async function openCommand() {
  const stripe = await openStripe({ isNew: true });
  const own = { STRIPE_SECRET_KEY: stripe.env.STRIPE_SECRET_KEY, STRIPE_API_URL: stripe.url };
  const run = (args: string, more: Record<string, string> = {}) => {
    const env = { PATH: environment().PATH, BASE_URL: "https://cards.example.com", ...own, ...more };
    return promisify(execFile)(process.execPath, [file, ...args.split(" ")], { env });
  };
  return { stripe, run, writes: () => stripe.requests.filter((request) => !request.startsWith("GET ")) };
}

test("setup prints the settings, a second run changes nothing, and check accepts them", async () => {
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

test("says what is wrong in the operator's words, and creates nothing", async () => {
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

test("setup works without a webhook endpoint, for a machine that Stripe can't reach", async () => {
  const { stripe, run } = await openCommand();
  const { stdout } = await run("setup --without-webhook", { BASE_URL: "http://localhost:3000" });
  expect(stdout.trim().split("\n")).toHaveLength(3);
  expect(stripe.state.webhookEndpoints.size).toBe(0);
});
