import { cardFields } from "./cards.ts";
import { profileForm } from "./profiles.ts";

/** A filled-in form: `page` is the file with its action, `fields` are the values submitted. */
export type FilledForm = { page: string; path: string; fields: Record<string, string> };

/** Every address that accepts a form. A test compares the list with the route modules that have an action. */
export function listForms(cardId: string): FilledForm[] {
  const account = { email: "ada@example.com", password: "correct horse battery" };
  return [
    { page: "account/sign-in/auth-page.tsx", path: "/auth", fields: { intent: "log-in", ...account } },
    { page: "account/sign-in/auth-page.tsx", path: "/auth?tab=signup", fields: { intent: "sign-up", ...account } },
    { page: "account/sign-in/auth-page.tsx", path: "/auth", fields: { intent: "resend", pending: "x" } },
    { page: "account/sign-in/auth-page.tsx", path: "/auth", fields: { intent: "email-sign-in", email: account.email } },
    { page: "account/email-sign-in/code-page.tsx", path: "/auth/code", fields: { code: "123456" } },
    { page: "account/email-sign-in/link-page.tsx", path: "/auth/link?token=x", fields: {} },
    { page: "account/factors/second-step/verify-page.tsx", path: "/auth/verify", fields: { code: "123456" } },
    { page: "account/factors/passkeys/passkey-page.tsx", path: "/auth/with-passkey", fields: { credential: "{}" } },
    {
      page: "account/factors/passkeys/passkey-options-route.ts",
      path: "/auth/passkey",
      fields: { purpose: "second-factor" },
    },
    { page: "account/factors/passkeys/new-passkey-route.ts", path: "/account/two-step/passkey", fields: {} },
    { page: "account/factors/app-page.tsx", path: "/account/two-step/app", fields: { code: "123456" } },
    { page: "account/factors/two-step-page.tsx", path: "/account/two-step", fields: { intent: "make-codes" } },
    {
      page: "account/settings/social/wallet/wallet-sign-in-page.tsx",
      path: "/auth/with-wallet",
      fields: { signature: "0x" },
    },
    {
      page: "account/settings/social/wallet/wallet-message-route.ts",
      path: "/auth/wallet",
      fields: { purpose: "sign-in", address: "0x" },
    },
    {
      page: "account/settings/social/wallet/wallet-connect-page.tsx",
      path: "/account/wallet",
      fields: { signature: "0x" },
    },
    { page: "account/settings/social/provider-route.ts", path: "/auth/with/google", fields: {} },
    { page: "account/settings/social/offer-route.ts", path: "/account/connections/offer", fields: { intent: "name" } },
    {
      page: "account/settings/social/connection-route.ts",
      path: "/account/connections/github",
      fields: { intent: "connect", returnTo: "/profile" },
    },
    { page: "account/sessions/tabs/sign-in-here-route.ts", path: "/auth/here", fields: account },
    { page: "account/sign-in/confirm-page.tsx", path: "/auth/confirm?token=x", fields: {} },
    { page: "account/settings/account-page.tsx", path: "/account", fields: { intent: "check" } },
    { page: "account/settings/account-page.tsx", path: "/account", fields: { intent: "resend" } },
    {
      page: "account/settings/account-page.tsx",
      path: "/account",
      fields: { intent: "change-email", email: "new@example.com", current: account.password },
    },
    {
      page: "account/settings/account-page.tsx",
      path: "/account",
      fields: { intent: "change-password", current: account.password, password: "tea for two", confirm: "tea for two" },
    },
    { page: "account/settings/account-page.tsx", path: "/account", fields: { intent: "cancel-email" } },
    {
      page: "account/sessions/verify-page.tsx",
      path: "/account/verify?returnTo=%2Fprofile",
      fields: { intent: "password", password: account.password },
    },
    { page: "account/sessions/sessions-page.tsx", path: "/account/sessions", fields: { intent: "end-others" } },
    { page: "account/sessions/sessions-page.tsx", path: "/account/sessions", fields: { intent: "end", id: "none" } },
    {
      page: "account/sessions/preferences/preferences-page.tsx",
      path: "/account/preferences",
      fields: { mailsSignIns: "on", locale: "de-DE", timeZone: "Europe/Berlin" },
    },
    { page: "account/sessions/verify-page.tsx", path: "/account/verify", fields: { intent: "code", code: "123456" } },
    { page: "account/settings/restore-email-page.tsx", path: "/account/email/restore?token=x", fields: {} },
    { page: "account/settings/confirm-email-page.tsx", path: "/account/email?token=x", fields: {} },
    {
      page: "account/settings/delete-account-page.tsx",
      path: "/account/delete",
      fields: { intent: "feedback", feedback: "No" },
    },
    { page: "account/settings/export/export-page.tsx", path: "/account/export", fields: {} },
    {
      page: "leads/inbox/inbox-page.tsx",
      path: "/leads",
      fields: { intent: "tag", id: "none", tag: "Fair", back: "" },
    },
    {
      page: "analytics/report/analytics-page.tsx",
      path: "/analytics",
      fields: { intent: "add-note", day: "2026-11-23", text: "Trade fair" },
    },
    { page: "analytics/report/analytics-page.tsx", path: "/analytics", fields: { intent: "weekly-mail", isOn: "on" } },
    { page: "leads/inbox/lead/lead-page.tsx", path: "/leads/none", fields: { intent: "unread" } },
    { page: "scanner/scan/scan-page.tsx", path: "/leads/scan", fields: { name: "Grace", card: cardId } },
    { page: "scanner/in-person/new-lead-page.tsx", path: "/leads/new", fields: { name: "Grace", card: cardId } },
    {
      page: "lead-notices/notifications-page.tsx",
      path: "/leads/notifications",
      fields: { intent: "mail", timing: "daily", hour: "8" },
    },
    {
      page: "lead-notices/notifications-page.tsx",
      path: "/leads/notifications",
      fields: { intent: "remove-forward", id: "none" },
    },
    { page: "leads/inbox/merge/merge-page.tsx", path: "/leads/merge", fields: { main: "none", id: "other" } },
    {
      page: "webhooks/pages/edit-page.tsx",
      path: "/webhooks/new",
      fields: { url: "https://a.example", "lead.created": "on" },
    },
    { page: "webhooks/pages/endpoint-page.tsx", path: "/webhooks/none", fields: { intent: "off" } },
    { page: "webhooks/pages/secret-page.tsx", path: "/webhooks/none/secret", fields: { intent: "show" } },
    { page: "webhooks/pages/delivery-page.tsx", path: "/webhooks/none/log/none", fields: { intent: "resend" } },
    { page: "admin/setup/setup-page.tsx", path: "/admin/setup", fields: { intent: "test-mail" } },
    { page: "admin/users/user-page.tsx", path: "/admin/users/none", fields: { intent: "block", reason: "Spam" } },
    { page: "billing/checkout/checkout-route.ts", path: "/pricing/checkout", fields: { period: "yearly" } },
    { page: "billing/checkout/portal-route.ts", path: "/account/portal", fields: {} },
    { page: "account/sign-in/sign-out-route.ts", path: "/auth/sign-out", fields: {} },
    { page: "account/sign-in/forgot-password-page.tsx", path: "/forgot-password", fields: { email: account.email } },
    {
      page: "account/sign-in/reset-password-page.tsx",
      path: "/reset-password?token=x",
      fields: { password: "another long word", confirm: "another long word" },
    },
    {
      page: "contact/contact-page.tsx",
      path: "/contact",
      fields: { name: "Ada", email: account.email, message: "Is there a plan for a school class?" },
    },
    { page: "avatar/save-route.ts", path: "/avatar/save", fields: { options: "{}" } },
    { page: "start/keep-route.ts", path: "/keep", fields: { name: "Ada", title: "", company: "" } },
    {
      page: "marketing/landing/demo/pass/demo-pass-page.tsx",
      path: "/demo-pass",
      fields: { name: "Ada", title: "", company: "", payload: "/u/ada" },
    },
    { page: "start/name-page.tsx", path: "/start/name", fields: { displayName: "Changed", handle: "" } },
    {
      page: "start/contact-page.tsx",
      path: "/start/contact",
      fields: { title: "Changed", company: "", email: account.email, phone: "", link: "" },
    },
    { page: "profile/editor/editor-page.tsx", path: "/profile", fields: profileForm({ displayName: "Changed" }) },
    { page: "cards/editor/editor-page.tsx", path: "/cards/edit", fields: { ...cardFields, company: "Changed" } },
    {
      page: "cards/editor/editor-page.tsx",
      path: `/cards/edit/${cardId}`,
      fields: { ...cardFields, company: "Changed", version: "1" },
    },
    { page: "cards/dialog/details-route.ts", path: `/cards/${cardId}/details`, fields: { company: "Changed" } },
    {
      page: "wallet/design/pass-page.tsx",
      path: `/cards/${cardId}/pass`,
      fields: { background: "default:washi", logo: "default", shows_email: "on" },
    },
    {
      page: "kiosk/devices/devices-page.tsx",
      path: `/cards/${cardId}/kiosk`,
      fields: { intent: "create", name: "Tablet" },
    },
    {
      page: "kiosk/devices/devices-page.tsx",
      path: `/cards/${cardId}/kiosk`,
      fields: { intent: "remove", id: "none" },
    },
    {
      page: "leads/settings/settings-page.tsx",
      path: `/cards/${cardId}/leads`,
      fields: { is_on: "on", version: "0", months: "24" },
    },
    { page: "leads/public/connect-page.tsx", path: `/card/${cardId}/connect`, fields: { name: "Grace" } },
    { page: "leads/consent/shared-page.tsx", path: "/shared/none.x", fields: { intent: "erase" } },
    { page: "cards/list/delete-route.ts", path: `/cards/${cardId}/delete`, fields: {} },
    { page: "cards/list/pause-route.ts", path: `/cards/${cardId}/pause`, fields: {} },
    { page: "cards/list/move-route.ts", path: `/cards/${cardId}/move`, fields: {} },
    { page: "cards/list/duplicate-route.ts", path: `/cards/${cardId}/duplicate`, fields: {} },
    { page: "cards/import/import-route.ts", path: "/cards/import", fields: {} },
    { page: "profile/editor/links/import-links-route.ts", path: "/profile/links/import", fields: {} },
    { page: "shell/theme/theme-route.ts", path: "/theme", fields: {} },
    { page: "shell/not-found/not-found-page.tsx", path: "/nowhere", fields: { a: "b" } },
  ];
}

/** Whether a form has fields, and isn't just a button. */
export function hasFields({ fields }: FilledForm): boolean {
  return Object.keys(fields).length > 0;
}
