import type { Program } from "#tests/support/program/program.ts";
import { openProgramClock } from "#tests/support/program/program-clock.ts";

import { openStripe } from "./stripe-double.ts";
import type { StripeEvent } from "./stripe-objects.ts";

type Address = Pick<Program, "url">;

/** Stripe's double for built programs: `env` are their settings, and time passes in both. */
export async function openStripeForPrograms({ closesAfterTest = true } = {}) {
  const stripe = await openStripe({ closesAfterTest });
  const clock = openProgramClock({ closesAfterTest });
  return {
    stripe,
    env: { ...stripe.env, ...clock.env },
    advance: (ms: number) => {
      clock.advance(ms);
      stripe.advance(ms);
    },
    /** Sends one event to the webhook of a program. */
    send: (program: Address, event: StripeEvent) => {
      const { payload, header } = stripe.sign(event, { at: Math.floor(clock.now() / 1000) });
      return fetch(`${program.url}/webhooks/stripe`, {
        method: "POST",
        body: payload,
        headers: { "content-type": "application/json; charset=utf-8", "stripe-signature": header },
        signal: AbortSignal.timeout(30_000),
      });
    },
  };
}
