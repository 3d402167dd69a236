/** The response to a sign-in from the dialog. */
export type SignInHereResult =
  | { kind: "signed-in" }
  /** /auth/verify asks for the second factor. */
  | { kind: "second-factor" }
  | { kind: "refused"; problem: string };

export const signInHerePath = "/auth/here";
