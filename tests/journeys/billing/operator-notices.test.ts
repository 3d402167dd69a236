import { describe, expect, test } from "vitest";

import { deleteAccount } from "#app/features/account/settings/account-deletion-data.server.ts";
import { checkPrices } from "#app/features/billing/stripe/price-checks.server.ts";
import { createSubscribedApp } from "#tests/support/providers/stripe/stripe-app.ts";
import type { StripeApp } from "#tests/support/providers/stripe/stripe-app.ts";

/** What Stripe reported to operators. */
function listNotices({ db }: StripeApp["services"]) {
  return db
    .selectFrom("operator_log")
    .select(["owner_id", "action", "detail"])
    .where("admin_id", "=", "stripe")
    .orderBy("action")
    .execute();
}

describe("Premium", () => {
  test("doesn't change with a refund or a dispute as long as the subscription goes on, and operators see both once", async () => {
    const { stripe, deliver, customer, subscription, plan, services, ownerId } = await createSubscribedApp();
    const charge = { id: "ch_1", object: "charge" as const, customer: customer.id, refunded: false, disputed: false };
    stripe.state.charges.set(charge.id, charge);
    stripe.state.record("charge.refunded", charge);
    await deliver();
    expect(await listNotices(services)).toEqual([]);
    charge.refunded = true;
    charge.disputed = true;
    stripe.state.record("charge.refunded", charge);
    stripe.state.record("charge.dispute.created", { id: "dp_1", object: "dispute", charge: charge.id });
    await deliver();
    await deliver(stripe.state.events);
    expect(await plan()).toBe("premium");
    expect(await listNotices(services)).toEqual([
      { owner_id: ownerId, action: "payment-disputed", detail: "ch_1" },
      { owner_id: ownerId, action: "payment-refunded", detail: "ch_1" },
    ]);
    stripe.billing.end(subscription);
    stripe.takeEvents();
    stripe.state.record("charge.dispute.created", { id: "dp_2", object: "dispute", charge: charge.id });
    await deliver();
    expect(await plan()).toBe("free");
  });

  test("gives nothing for the price of another product, which operators see", async () => {
    const { stripe, deliver, subscription, plan, services, ownerId, logLines } = await createSubscribedApp();
    const [item] = subscription.items.data;
    if (!item) throw new Error("no item");
    stripe.state.prices.set("price_old", { ...item.price, id: "price_old", unit_amount: 499 });
    stripe.state.prices.set("price_course", { ...item.price, id: "price_course", product: "prod_course" });
    stripe.billing.switchPrice(subscription, "price_old");
    await deliver();
    expect(await plan()).toBe("premium");
    stripe.billing.switchPrice(subscription, "price_course");
    await deliver();
    expect(await plan()).toBe("free");
    await deliver(stripe.state.events);
    expect(await listNotices(services)).toEqual([
      { owner_id: ownerId, action: "unknown-price", detail: `${subscription.id}, price_course` },
    ]);
    expect(logLines.filter(({ notice }) => notice === "unknown-price")).not.toEqual([]);
  });

  test("goes on when the operator sells at other prices, also of another product", async () => {
    const { stripe, services, deliver, plan, subscription } = await createSubscribedApp();
    const [item] = subscription.items.data;
    const prices = services.stripe?.settings.prices;
    if (!item || !prices) throw new Error("nothing is sold");
    for (const period of ["monthly", "yearly"] as const) {
      const price = stripe.state.prices.get(`price_${period}`);
      if (!price) throw new Error("no price");
      const id = `price_${period}_new`;
      stripe.state.prices.set(id, { ...price, id, product: "prod_new" });
      prices[period] = id;
    }
    await checkPrices(services);
    stripe.billing.cancelAtPeriodEnd(subscription);
    stripe.billing.cancelAtPeriodEnd(subscription, false);
    await deliver();
    expect(await plan()).toBe("premium");
    expect(await listNotices(services)).toEqual([]);
  });

  test("is counted once for two subscriptions, which operators see", async () => {
    const { stripe, deliver, subscription, customer, plan, services, ownerId } = await createSubscribedApp();
    const second = stripe.billing.subscribe(customer.id, "price_yearly");
    await deliver();
    await deliver(stripe.state.events);
    const ids = [subscription.id, second.id].toSorted().join(", ");
    expect(await listNotices(services)).toEqual([{ owner_id: ownerId, action: "paid-twice", detail: ids }]);
    stripe.billing.end(subscription);
    await deliver();
    expect(await plan()).toBe("premium");
  });
});

test("the log of operators keeps nothing of Stripe's about an account that was deleted", async () => {
  const { services, ownerId } = await createSubscribedApp();
  const notice = { ownerId, kind: "payment-disputed" };
  await services.jobs.enqueue(services.db, "operator-notice", { ...notice, detail: "ch_before" });
  await services.jobs.runDue();
  await deleteAccount(services, { ownerId, feedback: "" });
  await services.jobs.enqueue(services.db, "operator-notice", { ...notice, detail: "ch_after" });
  await services.jobs.runDue();
  const rows = await services.db.selectFrom("operator_log").selectAll().execute();
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain("ch_");
});
