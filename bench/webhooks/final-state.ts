import type { Db } from "#app/services/database/database.server.ts";
import type { StripeDouble } from "#tests/support/providers/stripe/stripe-double.ts";
import type { Subscription } from "#tests/support/providers/stripe/stripe-objects.ts";

const week = 7 * 86_400_000;

/** The number of customers whose stored subscriptions or plan aren't those of Stripe's state. The owner of a customer is its email. */
export async function countDifferences(stripe: StripeDouble, db: Db): Promise<number> {
  const plans = await db.selectFrom("subscription").select(["owner_id", "plan", "ends_at"]).execute();
  const rows = await db
    .selectFrom("stripe_subscription")
    .select(["id", "owner_id", "status", "price_id", "cancel_at", "current_period_end"])
    .execute();
  const different = [...stripe.state.customers.values()].filter(({ id, email: ownerId }) => {
    const own = [...stripe.state.subscriptions.values()].filter(({ customer }) => customer === id);
    const stored = {
      plan: plans.filter((row) => row.owner_id === ownerId).map(({ plan, ends_at }) => [plan, ends_at]),
      rows: rows
        .filter((row) => row.owner_id === ownerId)
        .map((row) => [row.id, row.status, row.price_id, row.cancel_at, row.current_period_end])
        .toSorted(byId),
    };
    const actual = { plan: [expectedPlan(stripe, own)], rows: own.map(expectedRow).toSorted(byId) };
    return JSON.stringify(stored) !== JSON.stringify(actual);
  });
  return different.length;
}

const byId = ([one]: unknown[], [other]: unknown[]) => (String(one) < String(other) ? -1 : 1);

function expectedRow({ id, status, cancel_at, items }: Subscription) {
  const [item] = items.data;
  const end = item?.current_period_end ?? 0;
  return [id, status, item?.price.id, cancel_at === null ? null : cancel_at * 1_000, end * 1_000];
}

/** The plan and its end: a customer has at most one subscription that hasn't ended. */
function expectedPlan({ state }: StripeDouble, own: Subscription[]) {
  const open = own.find(({ status }) => status !== "canceled");
  if (!open) return ["free", null];
  const end = open.cancel_at === null ? null : open.cancel_at * 1_000;
  if (open.status === "active") return ["premium", end];
  const unpaid = [...state.invoices.values()].filter(
    ({ parent, status }) => status === "open" && parent.subscription_details.subscription === open.id,
  );
  const since = Math.min(...unpaid.map(({ created }) => created)) * 1_000;
  return ["premium", Math.min(since + week, end ?? Infinity)];
}
