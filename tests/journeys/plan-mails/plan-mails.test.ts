import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { formatOwnDate } from "#app/services/preferences/owner-time.ts";
import { deleteAccount } from "#app/features/account/settings/account-deletion-data.server.ts";
import { grantPremium } from "#app/features/billing/data.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import { features } from "#server/features.ts";
import { runMaintenance } from "#server/maintenance.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { changeAll } from "#tests/support/database/account-rows.ts";
import { buyPremium, createSubscribedApp, sendEvent } from "#tests/support/providers/stripe/stripe-app.ts";

const day = 86_400_000;

async function withSubscriber(period = "monthly") {
  const product = await createSubscribedApp(period);
  /** What happens by itself as time passes: events, the hourly tasks and the jobs. */
  const pass = async (ms: number) => {
    product.stripe.advance(ms);
    await product.deliver();
    await product.maintain();
  };
  const subjects = async () => (await product.mails()).map(({ subject }) => subject).toReversed();
  return { ...product, pass, subjects };
}

describe("the mails about Premium", () => {
  test("welcome a subscriber once, with what is new and when it renews", async () => {
    const { deliver, stripe, mails, subjects, pass, services } = await withSubscriber("yearly");
    const [mail] = await mails();
    expect(mail).toMatchObject({ to: "ada@example.com", subject: "Welcome to Premium" });
    const renewal = formatOwnDate(stripe.clock() + 365 * day, { locale: "", timeZone: "" });
    for (const body of [mail?.text, mail?.html]) {
      expect(body).toContain("create as many cards as you like");
      expect(body).toContain(`renews every year, next on ${renewal}.`);
      expect(body).toContain(`${services.config.baseUrl}/account`);
    }
    await deliver(stripe.state.events);
    await pass(2 * day);
    expect(await subjects()).toEqual(["Welcome to Premium"]);
  });

  test("say until when Premium continues after a failed payment, in the owner's time zone, once for all tries", async () => {
    const { ada, customer, stripe, pass, mails, subjects, subscription } = await withSubscriber();
    const zone = { locale: "de-DE", timeZone: "Pacific/Kiritimati" };
    await ada.post("/account/preferences", { mailsSignIns: "on", ...zone });
    customer.card = "declined";
    await pass(30 * day);
    stripe.billing.retryPayments(customer.id);
    await pass(day);
    stripe.billing.retryPayments(customer.id);
    await pass(day);
    expect(await subjects()).toEqual(["Welcome to Premium", "Your payment for Premium failed"]);
    const [mail] = await mails();
    const failedAt = (subscription.items.data[0]?.current_period_start ?? 0) * 1000;
    expect(mail?.text).toContain(`Premium continues until ${formatOwnDate(failedAt + 7 * day, zone)}.`);
    expect(mail?.text).toMatch(/Update your payment card:\nhttp\S+\/account\n/);
    customer.card = "works";
    stripe.billing.retryPayments(customer.id);
    await pass(27 * day);
    customer.card = "declined";
    await pass(2 * day);
    expect((await subjects()).slice(2)).toEqual(["Your payment for Premium failed"]);
  });

  test("announce the end three days before, and then say what is paused, with the owner's own cards", async () => {
    const { ada, stripe, subscription, pass, mails, subjects, services } = await withSubscriber();
    await ada.post("/profile", profileForm({ theme: "sunset" }));
    for (const name of ["Studio", "Choir", "Kids & “School”"]) {
      await makeCard(ada, { card_name: name });
      await pass(1_000);
    }
    stripe.billing.cancelAtPeriodEnd(subscription);
    await pass(day);
    expect(await subjects()).toEqual(["Welcome to Premium"]);
    const end = formatOwnDate((subscription.cancel_at ?? 0) * 1000, { locale: "", timeZone: "" });
    await pass(26 * day);
    expect((await mails())[0]?.subject).toBe(`Your Premium ends on ${end}`);
    expect((await mails())[0]?.text).toContain("Your other 2 cards will be paused");
    await pass(2 * day);
    await pass(2 * day);
    await pass(day);
    expect((await subjects()).slice(1)).toEqual([`Your Premium ends on ${end}`, "Your Premium has ended"]);
    const [mail] = await mails();
    for (const text of [
      `ended on ${end}. Your account is on Free now`,
      "“Studio”, your oldest card, stays public.",
      "Your other 2 cards are paused: visitors can’t open them. Kept for you: “Kids & “School”” and “Choir”.",
      "Visitors see your profile in the Default theme. Your choice, Sunset, is kept.",
      `See plans:\n${services.config.baseUrl}/pricing`,
    ])
      expect(mail?.text).toContain(text);
    expect(mail?.html).toContain("Kids &#38; “School”");
    await buyPremium(ada, stripe);
    await pass(0);
    expect((await mails())[0]?.text).toContain("All 3 of your cards are included.");
  });

  test("name the failed payment when Premium ends because of it, and don't repeat that when Stripe gives up", async () => {
    const { customer, stripe, pass, mails, subjects, subscription } = await withSubscriber();
    customer.card = "declined";
    await pass(30 * day);
    await pass(7 * day);
    const expected = ["Welcome to Premium", "Your payment for Premium failed", "Your Premium has ended"];
    expect(await subjects()).toEqual(expected);
    expect((await mails())[0]?.text).toContain("because the payment failed");
    stripe.billing.end(subscription);
    await pass(day);
    expect(await subjects()).toEqual(expected);
  });

  test("aren't sent when the plan has changed before the job runs", async () => {
    const { services, ownerId, stripe, subjects } = await withSubscriber();
    for (const kind of ["failed", "ending", "ended"])
      await services.jobs.enqueue(services.db, "plan-mail", { ownerId, kind, at: stripe.clock() });
    expect(await subjects()).toEqual(["Welcome to Premium"]);
  });

  test("aren't sent to an address that isn't confirmed, a blocked or a deleted account", async () => {
    const { services, ownerId, stripe, subjects } = await withSubscriber();
    const at = stripe.clock();
    const welcome = () => services.jobs.enqueue(services.db, "plan-mail", { ownerId, kind: "welcome", at });
    const setConfirmed = (isConfirmed: boolean) =>
      changeAll(services, "user", { emailVerified: services.engine === "sqlite" ? Number(isConfirmed) : isConfirmed });
    await setConfirmed(false);
    await welcome();
    expect(await subjects()).toHaveLength(1);
    await setConfirmed(true);
    const block = { owner_id: ownerId, reason: "spam", created_at: at };
    await services.db.insertInto("account_block").values(block).execute();
    await welcome();
    expect(await subjects()).toHaveLength(1);
    await services.db.deleteFrom("account_block").execute();
    await welcome();
    expect(await subjects()).toHaveLength(2);
    await deleteAccount(services, { ownerId, feedback: "" });
    await welcome();
    expect((await subjects()).slice(2)).toEqual(["Your account was deleted"]);
  });

  test("are the same in any order and with any repetition of events and hourly tasks", async () => {
    const order = fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(order, { minLength: 6, maxLength: 6 }), async (orders) => {
        const product = await withSubscriber();
        const { stripe, customer, subscription, services, subjects } = product;
        const steps = [
          () => void (customer.card = "declined"),
          () => stripe.advance(30 * day),
          () => void (customer.card = "works"),
          () => stripe.billing.retryPayments(customer.id),
          () => stripe.billing.cancelAtPeriodEnd(subscription),
          () => stripe.advance(27.5 * day),
          () => stripe.advance(3 * day),
        ];
        for (const [at, step] of steps.entries()) {
          step();
          stripe.takeEvents();
          const { events } = stripe.state;
          // The newest event arrives at some time, older ones again.
          const chosen = (orders[at % orders.length] ?? []).map((back) => events.at(-1 - (back % events.length)));
          for (const event of [...chosen, events.at(-1), ...chosen]) {
            if (event) await sendEvent(product, stripe, event);
            await services.jobs.runDue();
            await runMaintenance(features, services);
          }
          await services.jobs.runDue();
        }
        expect(await subjects()).toEqual([
          "Welcome to Premium",
          "Your payment for Premium failed",
          expect.stringContaining("Your Premium ends on"),
          "Your Premium has ended",
        ]);
      }),
      { numRuns: 3 },
    );
  });
});

describe("the mails about granted Premium", () => {
  async function withGrant(env: Record<string, string>, length: number) {
    let time = Date.UTC(2026, 10, 23);
    const product = await createTestApp({ env, clock: () => time });
    const { services, mails } = product;
    const ada = await product.signedIn();
    const grant = { ownerId: await userIdOf(ada), endsAt: time + length, reason: "", grantedBy: "", now: time };
    await transact(services.db, (trx) => grantPremium(trx, services.events, grant));
    const passTo = async (ms: number) => {
      time = ms;
      await runMaintenance(features, services);
      return (await mails()).map(({ subject, text }) => ({ subject, text })).toReversed();
    };
    return { ...product, ...grant, passTo };
  }

  test("announce its end a week before, and the operator is who to ask where it isn't sold", async () => {
    const { endsAt, passTo, services } = await withGrant({}, 60 * day);
    expect(await passTo(endsAt - 8 * day)).toEqual([]);
    const [ending] = await passTo(endsAt - 6 * day);
    expect(ending?.text).toContain("The operator of localhost:3000 gave your account Premium until January 22, 2027.");
    expect(ending?.text).toContain(`${services.config.baseUrl}/contact`);
    expect(ending?.text).not.toContain("/pricing");
    const mails = await passTo(endsAt);
    expect(mails.map(({ subject }) => subject)).toEqual([
      "Your Premium ends on January 22, 2027",
      "Your Premium has ended",
    ]);
  });

  test("aren't sent where everyone has Premium", async () => {
    const { endsAt, passTo } = await withGrant({ PLAN_FOR_EVERYONE: "premium" }, 60 * day);
    await passTo(endsAt - 6 * day);
    expect(await passTo(endsAt)).toEqual([]);
  });
});
