import type { Stripe } from "stripe";

import { withTimeout } from "#app/services/base/time-limit.ts";
import type { StripeAccess, StripeSettings } from "#app/services/config/settings.ts";

/** The version whose types this code is compiled with. A webhook endpoint is created with the same. */
export const stripeApiVersion = "2026-10-28.endive";

export type StripeApi = {
  settings: StripeSettings;
  /** Runs requests for a page, which waits for them: all together take at most ten seconds. */
  forPage: <T>(work: (stripe: Stripe) => Promise<T>) => Promise<T>;
  /** Runs requests in a job, whose lease is two minutes. */
  forJob: <T>(work: (stripe: Stripe) => Promise<T>) => Promise<T>;
  /**
   * The event in the body of a webhook; undefined when its signature is wrong or older than five minutes at `now` (epoch milliseconds).
   */
  readEvent: (body: Uint8Array, signature: string, now: number) => Promise<Stripe.Event | undefined>;
};

/** Stripe's API for the account of these settings. The SDK is loaded with the first request. */
export function createStripe(settings: StripeSettings): StripeApi {
  let client: Promise<Stripe> | undefined;
  const load = () => (client ??= openClient(settings));
  return {
    settings,
    forPage: (work) => withTimeout(pageMs, load().then(work)),
    forJob: (work) => withTimeout(jobMs, load().then(work)),
    async readEvent(body, signature, now) {
      const { Stripe } = await import("stripe");
      try {
        return Stripe.webhooks.constructEvent(
          body,
          signature,
          settings.webhookSecret,
          toleranceSeconds,
          undefined,
          now,
        );
      } catch {
        // The SDK has several kinds of errors for a malformed header or body, and the secret was checked at startup.
        return undefined;
      }
    },
  };
}

/** The SDK for the account of a key, with the pinned version of the API. */
export async function openClient({ secretKey, apiUrl }: StripeAccess): Promise<Stripe> {
  const { Stripe } = await import("stripe");
  const url = apiUrl === undefined ? undefined : new URL(apiUrl);
  return new Stripe(secretKey, {
    apiVersion: stripeApiVersion,
    maxNetworkRetries: 1,
    timeout: requestMs,
    telemetry: false,
    ...(url && { host: url.hostname, port: url.port, protocol: "http" }),
  });
}

/** How long a response may take to begin. */
const requestMs = 8_000;
const pageMs = 10_000;
const jobMs = 60_000;
const toleranceSeconds = 5 * 60;

/** Whether Stripe doesn't know the object: it was deleted there, or belongs to another account. */
export function isUnknownAtStripe(error: unknown): boolean {
  return stripeErrorCode(error) === "resource_missing";
}

/** Whether Stripe refused the request for what it asks, so that it would refuse it again; the message is Stripe's own. */
export function isRefusedByStripe(error: unknown): error is Error {
  return error instanceof Error && "type" in error && error.type === "StripeInvalidRequestError";
}

/** Stripe's code of an error, such as "resource_missing"; "" for other errors. */
export function stripeErrorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
