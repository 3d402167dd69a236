import { useRouteLoaderData } from "react-router";

import type { PremiumAccess, SignUpPolicy } from "#app/services/config/setting-values.ts";

/** How owners get Premium on this site, from the data of every document (root.tsx). */
export function usePremiumAccess(): PremiumAccess {
  return useRouteLoaderData<{ premium?: PremiumAccess }>("root")?.premium ?? "granted";
}

/** What stands instead of a sign-up button, from the data of every document (root.tsx); undefined where everyone may sign up. */
export function useSignUpNote(): string | undefined {
  return signUpNotes[useRouteLoaderData<{ signUp?: SignUpPolicy }>("root")?.signUp ?? "open"];
}

export const signUpNotes = {
  open: undefined,
  invite: "This site is invitation only",
  closed: "Sign-up is closed here",
} as const satisfies Record<SignUpPolicy, string | undefined>;
