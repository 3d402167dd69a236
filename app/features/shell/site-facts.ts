import { useRouteLoaderData } from "react-router";

import type { PremiumAccess } from "#app/services/config/setting-values.ts";

/** How owners get Premium on this site, from the data of every document (root.tsx). */
export function usePremiumAccess(): PremiumAccess {
  return useRouteLoaderData<{ premium?: PremiumAccess }>("root")?.premium ?? "granted";
}

/**
 * The features that the marketing pages may mention as available. Passes need settings of the operator, so pages ask whether
 * there are any instead.
 */
export const featureFlags: Record<"api", boolean> = {
  api: false,
};
