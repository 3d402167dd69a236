/** Texts of the specification (document 1, sections 2, 8 and 9), and ours where it has none. */
export const messages = {
  saveYearly: (percent: number) => `Save ~${percent}%`,
  monthsFree: "2 months free on yearly",
  logInToSubscribe: "Please log in to subscribe.",
  checkoutFailed: (message: string) => `Checkout failed: ${message}`,
  noCheckoutSession: "Could not create checkout session.",
  portalFailed: "Could not open portal",
  noCustomer: "You haven’t bought anything yet.",
  /** Follow `checkoutFailed`. */
  unknownPrice: "This price isn’t offered here.",
  noPrice: "The body has no priceId.",
  waitAnHour: "Wait an hour and try again.",
  noPage: "The page is a number from 1 on.",
  /** The session gets a new token with the proof. */
  confirmFirst: (url: string) => `Confirm it’s you at ${url}, then call again. A bearer token changes with that.`,
  tooManyPortals: "You opened it too often. Wait an hour and try again.",
  tooManyCheckouts: { title: "You tried this too often", text: "Wait an hour and try again. You weren’t charged." },
  stripeUnavailable: "We couldn’t reach Stripe, which handles payments.",
  statusFailed: "Could not check subscription status",
  historyFailed: "Could not load billing history",
  invoiceFailed: "Could not open the invoice",
  noInvoiceLink: "Stripe has no page for it.",
  notOnSale: (plan: string) => `${plan} isn’t available yet`,
  /** For a purchase that is attempted while Premium isn't available. */
  cannotBuy: {
    reason: "Premium isn’t available yet.",
    text: "You weren’t charged, and your plan hasn’t changed.",
  },
  hasPlan: (plan: string) => ({ title: `You’re already on ${plan}`, text: "You weren’t charged." }),
};
