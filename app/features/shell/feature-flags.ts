/**
 * The features that the marketing pages may mention as available. When one becomes true, also change the texts that call it missing (the FAQ
 * and the pass demo on the landing page).
 */
export const featureFlags: Record<"passes" | "leads" | "analytics" | "api" | "providers", boolean> = {
  passes: false,
  leads: false,
  analytics: true,
  api: false,
  providers: false,
};
