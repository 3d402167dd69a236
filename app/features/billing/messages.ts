export const messages = {
  saveYearly: (percent: number) => `Save ~${percent}%`,
  monthsFree: "2 months free on yearly",
  notOnSale: {
    title: "Premium is not on sale yet",
    text: "Start on Free today. Nothing you make is lost when you move up later.",
  },
};
