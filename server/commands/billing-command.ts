import { setUpStripe } from "#app/features/billing/operator/stripe-setup.server.ts";
import type { SetupOptions } from "#app/features/billing/operator/stripe-setup.server.ts";
import type { SetupResult } from "#app/features/billing/operator/product-setup.server.ts";
import { addressProblem, stripeProblem } from "#app/features/billing/operator/stripe-setup-messages.ts";
import { startProblem } from "#app/services/base/errors.ts";
import { environment, readConfig, readStripeAccess } from "#app/services/config/config.server.ts";
import type { Config } from "#app/services/config/config.server.ts";
import { planPrices } from "#app/features/billing/stripe/price-data.server.ts";
import type { StripeAccess } from "#app/services/config/settings.ts";
import { openClient } from "#app/services/stripe/stripe.server.ts";

import { runCommand } from "./run-command.ts";

const usage = `Usage: npm run billing -- <command>

  setup   Creates the product, the prices, the customer portal's configuration and the webhook endpoint in your Stripe
          account, and prints the settings to add. Running it again changes only what isn't right.
  check   Compares the Stripe account and the settings with what this release needs, and changes nothing.

  --without-webhook      Leaves out the webhook endpoint, as for a site that Stripe can't reach.
  --new-webhook-secret   setup: replaces the webhook endpoint, and so its secret.

Needs STRIPE_SECRET_KEY and BASE_URL. See docs/billing.md.`;

const options = ["--without-webhook", "--new-webhook-secret"];

/** The operator's commands for the Stripe account. The settings go to standard output, everything else to standard error. */
async function run(given: string[]): Promise<void> {
  if (given.some((word) => word === "--help" || word === "-h")) return void process.stdout.write(`${usage}\n`);
  const [command, ...words] = given;
  const [isWithout, isReplaced] = options.map((option) => words.includes(option));
  const isKnown = words.every((word) => options.includes(word)) && !(isWithout && isReplaced);
  if ((command !== "setup" && !(command === "check" && !isReplaced)) || !isKnown) throw usageProblem();
  const { config, access } = readSettings(command === "check");
  const { baseUrl } = config;
  const problem = isWithout ? undefined : addressProblem(baseUrl);
  if (problem !== undefined) throw startProblem(problem);
  const webhook = isWithout ? "none" : isReplaced ? "replace" : "keep";
  const result = await work(access, { baseUrl, webhook, apply: command === "setup" });
  if (command === "setup") printSetup(result, webhook !== "none");
  else printCheck(result, config);
}

/** Without the settings that this command prints: they may be missing, or those of another Stripe account. */
function readSettings(isCheck: boolean): { config: Config; access: StripeAccess } {
  const env = environment();
  const problems: string[] = [];
  const access = readStripeAccess(env, problems);
  const others = Object.fromEntries(Object.entries(env).filter(([name]) => isCheck || !name.startsWith("STRIPE_")));
  const read = readConfig(others, process.cwd());
  const all = "problems" in read ? [...new Set([...problems, ...read.problems])] : problems;
  if ("problems" in read || all.length > 0) throw startProblem(all.join("\n"));
  const { config } = read;
  if (config.premium === "everyone")
    throw startProblem("Everyone has Premium here, because PLAN_FOR_EVERYONE is premium: there is nothing to sell.");
  return { config, access };
}

async function work(access: StripeAccess, options: SetupOptions): Promise<SetupResult> {
  try {
    return await setUpStripe(await openClient(access), options);
  } catch (error) {
    const problem = stripeProblem(error);
    throw problem === undefined ? error : startProblem(problem, error);
  }
}

function printSetup({ changes, notes, settings }: SetupResult, hasWebhook: boolean): void {
  report([...(changes.length > 0 ? changes : ["Everything is already there. Nothing was changed."]), ...notes]);
  const { STRIPE_WEBHOOK_SECRET: secret, ...others } = settings;
  report(["", "The settings, besides STRIPE_SECRET_KEY:"]);
  for (const [name, value] of Object.entries(others)) process.stdout.write(`${name}=${value}\n`);
  if (secret !== undefined) process.stdout.write(`STRIPE_WEBHOOK_SECRET=${secret}\n`);
  else if (hasWebhook)
    report([
      "",
      "STRIPE_WEBHOOK_SECRET stays as it is. If you don't have it, copy it from the endpoint's page in the Stripe dashboard,",
      "under Developers > Webhooks, or run `npm run billing -- setup --new-webhook-secret`.",
    ]);
  report(["", "Restart Meishi after changing them."]);
}

function printCheck({ changes, notes, settings }: SetupResult, { stripe }: Config): void {
  const used = {
    ...Object.fromEntries(planPrices.map(({ setting, name }) => [setting, stripe?.[name]])),
    STRIPE_PORTAL_CONFIGURATION: stripe?.portalConfiguration,
  };
  const wrong = Object.entries(used).flatMap(([name, value]) => {
    const wanted = Object.entries(settings).find(([one]) => one === name)?.[1];
    return wanted === undefined || wanted === value ? [] : [`${name} should be ${wanted}.`];
  });
  report(notes);
  const problems = [...changes, ...wrong];
  if (problems.length === 0) return void process.stdout.write("Stripe and the settings are as they should be.\n");
  report([...problems, "", "`npm run billing -- setup` corrects the account and prints the settings."]);
  process.exitCode = 1;
}

function report(lines: string[]): void {
  process.stderr.write(lines.map((line) => `${line}\n`).join(""));
}

/** The whole text: a start problem is one line. */
function usageProblem(): Error {
  const problem = startProblem(usage);
  problem.message = usage;
  return problem;
}

runCommand(run);
