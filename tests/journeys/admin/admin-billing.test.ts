import { expect, test } from "vitest";

import { runMaintenance } from "#server/maintenance.ts";
import { createOperatedApp } from "#tests/support/admin/operated-app.ts";
import { visibleText } from "#tests/support/app/responses.ts";
import { buyPremium } from "#tests/support/providers/stripe/stripe-app.ts";
import { openStripe } from "#tests/support/providers/stripe/stripe-double.ts";

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
