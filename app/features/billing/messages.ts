/** The specification's texts (document 1, sections 2, 8 and 9) and, where it has none, ours. */
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
  /** To somebody who pressed the button all the same. */
  cannotBuy: {
    reason: "Premium is not on sale yet.",
    text: "Nothing was charged, and your plan is as it was.",
  },
  hasPremium: { title: "You are on Premium already", text: "Nothing was charged." },
};
