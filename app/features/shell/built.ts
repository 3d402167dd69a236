/** What the pages around the product may speak of as being there. Each becomes true with the feature, and its texts with it. */
export const built: Record<"passes" | "leads" | "analytics" | "api" | "providers" | "payments", boolean> = {
  passes: false,
  leads: false,
  analytics: false,
  api: false,
  providers: false,
  payments: false,
};
