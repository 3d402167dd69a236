/**
 * What the pages around the product may speak of as being there. Each becomes true with the feature; what is said to be missing elsewhere
 * (the questions on the landing page, its demo of a pass) is then said anew.
 */
export const built: Record<"passes" | "leads" | "analytics" | "api" | "providers" | "payments", boolean> = {
  passes: false,
  leads: false,
  analytics: false,
  api: false,
  providers: false,
  payments: false,
};
