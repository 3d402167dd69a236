import { expect, test } from "vitest";

import { readConfig } from "#app/services/config/config.server.ts";
import { openStripe } from "#tests/support/providers/stripe/stripe-double.ts";
import type { StripeDouble } from "#tests/support/providers/stripe/stripe-double.ts";

import { createStripe, isUnknownAtStripe, stripeErrorCode } from "./stripe.server.ts";

function connect(double: StripeDouble) {
  const read = readConfig(double.env, "/");
  if (!("config" in read) || !read.config.stripe) throw new Error("the settings are incomplete");
  return createStripe(read.config.stripe);
}

test("accepts an event with a right signature of the last five minutes, and no other", async () => {
  const double = await openStripe();
  const { readEvent } = connect(double);
  double.state.record("invoice.paid", { id: "in_1", customer: "cus_1" });
  const [event] = double.takeEvents();
  if (!event) throw new Error("no event");
  const { payload, header } = double.sign(event);
  const body = Buffer.from(payload);
  const now = double.clock();
  expect(await readEvent(body, header, now)).toMatchObject({ id: event.id, type: "invoice.paid" });
  expect(await readEvent(body, header, now + 299_000)).toMatchObject({ id: event.id });
  expect(await readEvent(body, header, now + 301_000)).toBeUndefined();
  expect(await readEvent(Buffer.concat([body, Buffer.from(" ")]), header, now)).toBeUndefined();
  expect(await readEvent(body, double.sign(event, { secret: "whsec_other" }).header, now)).toBeUndefined();
  for (const wrong of ["", "t=1", "v1=abc", "t=x,v1=y"])
    expect(await readEvent(body, wrong, now), wrong).toBeUndefined();
});

test("tells an unknown object from a failure, and tries again after one", async () => {
  const double = await openStripe();
  const { forPage } = connect(double);
  const load = () => forPage((stripe) => stripe.customers.retrieve("cus_unknown")).catch((error: unknown) => error);
  expect(isUnknownAtStripe(await load())).toBe(true);
  double.health = "fails once";
  expect(isUnknownAtStripe(await load())).toBe(true);
  double.health = "rate-limited";
  expect(stripeErrorCode(await load())).toBe("rate_limit");
  double.health = "down";
  expect(isUnknownAtStripe(await load())).toBe(false);
});
