import type { StripeDouble } from "#tests/support/providers/stripe/stripe-double.ts";
import type { Customer, Subscription } from "#tests/support/providers/stripe/stripe-objects.ts";

const day = 86_400_000;

/** Adds customers of the double who have just subscribed. Their emails are the ids "owner-0", "owner-1" … */
export function addCustomers({ state, billing }: StripeDouble, count: number): Customer[] {
  return Array.from({ length: count }, (_, n) => {
    const customer: Customer = {
      id: state.newId("cus"),
      object: "customer",
      email: `owner-${n}`,
      created: state.seconds(),
      metadata: {},
      card: "works",
    };
    state.customers.set(customer.id, customer);
    billing.subscribe(customer.id, "price_monthly");
    return customer;
  });
}

/** A third of the customers do something at Stripe, and some days pass. `random` returns numbers from 0 to below 1. */
export function changeCustomers(double: StripeDouble, customers: readonly Customer[], random: () => number): void {
  const newest = new Map([...double.state.subscriptions.values()].map((one) => [one.customer, one]));
  for (const customer of customers) {
    const subscription = newest.get(customer.id);
    if (random() < 1 / 3 && subscription)
      changeOne(double, { customer, subscription, choice: Math.floor(random() * 6) });
  }
  double.advance(Math.ceil(random() * 9) * day);
}

type Change = { customer: Customer; subscription: Subscription; choice: number };

function changeOne({ billing }: StripeDouble, { customer, subscription, choice }: Change): void {
  if (subscription.status === "canceled") return void billing.subscribe(customer.id, "price_yearly");
  const [item] = subscription.items.data;
  const other = item?.price.id === "price_yearly" ? "price_monthly" : "price_yearly";
  const changes = [
    () => billing.switchPrice(subscription, other),
    () => billing.cancelAtPeriodEnd(subscription, subscription.cancel_at === null),
    () => billing.end(subscription),
    () => void (customer.card = "declined"),
    () => void (customer.card = "works"),
    () => billing.retryPayments(customer.id),
  ];
  changes[choice]?.();
}
