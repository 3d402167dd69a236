/**
 * The features that the marketing pages may mention as available. Passes need settings of the operator, so pages ask whether
 * there are any instead.
 */
export const featureFlags: Record<"api", boolean> = {
  api: false,
};
