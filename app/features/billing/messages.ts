/** Texts of the specification (document 1, sections 2, 8 and 9), and ours where it has none. */
export const messages = {
  saveYearly: (percent: number) => `Save ~${percent}%`,
  monthsFree: "2 months free on yearly",
  logInToSubscribe: "Please log in to subscribe.",
  checkoutFailed: (message: string) => `Checkout failed: ${message}`,
  statusFailed: "Could not check subscription status",
  notOnSale: {
    title: "Premium is not on sale yet",
    text: "Start on Free today. Nothing you make is lost when you move up later.",
  },
  /** For a purchase that is attempted while Premium is not on sale. */
  cannotBuy: {
    reason: "Premium is not on sale yet.",
    text: "Nothing was charged, and your plan is as it was.",
  },
  hasPremium: { title: "You are on Premium already", text: "Nothing was charged." },
};
