/**
 * What an error of the SDK means to the operator who set STRIPE_SECRET_KEY; undefined for errors that aren't Stripe's. Never repeats the key,
 * which some of Stripe's own messages show in part. https://docs.stripe.com/error-handling
 */
export function stripeProblem(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("type" in error)) return undefined;
  switch (error.type) {
    case "StripeAuthenticationError":
      return "Stripe doesn't accept STRIPE_SECRET_KEY. Copy it again from the Stripe dashboard, under Developers > API keys: it may have been rolled, or cut off.";
    case "StripePermissionError":
      return `The restricted key in STRIPE_SECRET_KEY has no permission${permissionIn(error.message)}. This command needs write access to products, prices, the customer portal and webhook endpoints. You can use the secret key (sk_…) for it once, and the restricted key for Meishi.`;
    case "StripeConnectionError":
      return "Stripe can't be reached. Check that this machine can open https://api.stripe.com, then run the command again.";
    case "StripeRateLimitError":
    case "StripeAPIError":
      return "Stripe couldn't answer. Run the command again in a minute: it continues where it stopped.";
    case "StripeInvalidRequestError":
    case "StripeCardError":
    case "StripeIdempotencyError":
      return `Stripe refused a request: ${error.message}`;
    default:
      return undefined;
  }
}

/** "… Having the 'rak_webhook_write' permission would …" -> " for webhook_write". */
function permissionIn(message: string): string {
  const name = /'rak_(\w+)'/.exec(message)?.[1];
  return name === undefined ? "" : ` for ${name}`;
}

export const webhookUrl = (baseUrl: string) => `${baseUrl}/webhooks/stripe`;

export const newSecretHint = "Run `npm run billing -- setup --new-webhook-secret` to replace it.";

/** Why Stripe can't send events to a site; undefined if it can. */
export function addressProblem(baseUrl: string): string | undefined {
  if (baseUrl.startsWith("https:")) return undefined;
  return (
    `Stripe sends events only to public addresses with HTTPS, and BASE_URL is ${baseUrl}. Set BASE_URL to the site's public address. ` +
    `To try it on this machine, add --without-webhook, run \`stripe listen --forward-to ${webhookUrl(baseUrl)}\` ` +
    "and use the secret that it prints as STRIPE_WEBHOOK_SECRET."
  );
}
