import { cardFields } from "./cards.ts";
import { profileForm } from "./profiles.ts";

/** A form of the product, filled in: `page` is the file that takes it, `fields` what a person sends. */
export type Form = { page: string; path: string; fields: Record<string, string> };

/** Every address that something can be posted to, as pages and their script do. A test compares it with the pages that take forms. */
export function everyForm(cardId: string): Form[] {
  const account = { email: "ada@example.com", password: "correct horse battery" };
  return [
    { page: "account/auth-page.tsx", path: "/auth", fields: { intent: "log-in", ...account } },
    { page: "account/auth-page.tsx", path: "/auth?tab=signup", fields: { intent: "sign-up", ...account } },
    { page: "account/auth-page.tsx", path: "/auth", fields: { intent: "resend", pending: "x" } },
    { page: "account/account-page.tsx", path: "/account", fields: { intent: "check" } },
    { page: "account/account-page.tsx", path: "/account", fields: { intent: "resend" } },
    {
      page: "account/delete-account-page.tsx",
      path: "/account/delete",
      fields: { intent: "feedback", feedback: "No" },
    },
    { page: "marketing/pricing-page.tsx", path: "/pricing", fields: { intent: "subscribe" } },
    { page: "account/sign-out-route.ts", path: "/auth/sign-out", fields: {} },
    { page: "account/forgot-password-page.tsx", path: "/forgot-password", fields: { email: account.email } },
    {
      page: "account/reset-password-page.tsx",
      path: "/reset-password?token=x",
      fields: { password: "another long word", confirm: "another long word" },
    },
    {
      page: "contact/contact-page.tsx",
      path: "/contact",
      fields: { name: "Ada", email: account.email, message: "Is there a plan for a school class?" },
    },
    { page: "avatar/save-route.ts", path: "/avatar/save", fields: { options: "{}" } },
    { page: "profile/editor-page.tsx", path: "/profile", fields: profileForm({ displayName: "Changed" }) },
    { page: "cards/editor-page.tsx", path: "/cards/edit", fields: { ...cardFields, company: "Changed" } },
    {
      page: "cards/editor-page.tsx",
      path: `/cards/edit/${cardId}`,
      fields: { ...cardFields, company: "Changed", version: "1" },
    },
    { page: "cards/details-route.ts", path: `/cards/${cardId}/details`, fields: { company: "Changed" } },
    { page: "cards/delete-route.ts", path: `/cards/${cardId}/delete`, fields: {} },
    { page: "cards/pause-route.ts", path: `/cards/${cardId}/pause`, fields: {} },
    { page: "cards/move-route.ts", path: `/cards/${cardId}/move`, fields: {} },
    { page: "cards/duplicate-route.ts", path: `/cards/${cardId}/duplicate`, fields: {} },
    { page: "cards/import-route.ts", path: "/cards/import", fields: {} },
    { page: "profile/import-route.ts", path: "/profile/links/import", fields: {} },
    { page: "shell/theme-route.ts", path: "/theme", fields: {} },
    { page: "shell/not-found-page.tsx", path: "/nowhere", fields: { a: "b" } },
  ];
}

/** Of what a browser sends, only what is typed: nothing that a click alone would do. */
export function isTyped({ fields }: Form): boolean {
  return Object.keys(fields).length > 0;
}
