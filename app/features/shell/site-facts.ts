import { useRouteLoaderData } from "react-router";

import type { PremiumAccess } from "#app/services/config/setting-values.ts";

/** How owners get Premium on this site, from the data of every document (root.tsx). */
export function usePremiumAccess(): PremiumAccess {
  return useRouteLoaderData<{ premium?: PremiumAccess }>("root")?.premium ?? "granted";
}
