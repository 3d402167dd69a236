import { cardFields } from "./cards.ts";
import { profileForm } from "./profiles.ts";

/** A filled-in form: `page` is the file with its action, `fields` are the values submitted. */
export type FilledForm = { page: string; path: string; fields: Record<string, string> };

/** Every address that accepts a form. A test compares the list with the route modules that have an action. */
export function listForms(cardId: string): FilledForm[] {
  const account = { email: "ada@example.com", password: "correct horse battery" };
  const { email, password: current } = account;
  const newPassword = { password: "another long word", confirm: "another long word" };
  const proof = { intent: "password", password: current };
  const connection = { intent: "connect", returnTo: "/profile" };
  const preferences = { mailsSignIns: "on", locale: "de-DE", timeZone: "Europe/Berlin" };
  const draftCard = { name: "Ada", title: "", company: "" };
  const passDesign = { background: "default:washi", logo: "default", shows_email: "on" };
  const rows: [page: string, path: string, fields: Record<string, string>][] = [
    ["account/sign-in/auth-page.tsx", "/auth", { intent: "log-in", ...account }],
    ["account/sign-in/auth-page.tsx", "/auth?tab=signup", { intent: "sign-up", ...account }],
    ["account/sign-in/auth-page.tsx", "/auth", { intent: "resend", pending: "x" }],
    ["account/sign-in/auth-page.tsx", "/auth", { intent: "email-sign-in", email: account.email }],
    ["account/email-sign-in/code-page.tsx", "/auth/code", { code: "123456" }],
    ["account/email-sign-in/link-page.tsx", "/auth/link?token=x", {}],
    ["account/factors/second-step/verify-page.tsx", "/auth/verify", { code: "123456" }],
    ["account/factors/passkeys/passkey-page.tsx", "/auth/with-passkey", { credential: "{}" }],
    ["account/factors/passkeys/passkey-options-route.ts", "/auth/passkey", { purpose: "second-factor" }],
    ["account/factors/passkeys/new-passkey-route.ts", "/account/two-step/passkey", {}],
    ["account/factors/app-page.tsx", "/account/two-step/app", { code: "123456" }],
    ["account/factors/two-step-page.tsx", "/account/two-step", { intent: "make-codes" }],
    ["account/settings/social/wallet/wallet-sign-in-page.tsx", "/auth/with-wallet", { signature: "0x" }],
    ["account/settings/social/wallet/wallet-message-route.ts", "/auth/wallet", { purpose: "sign-in", address: "0x" }],
    ["account/settings/social/wallet/wallet-connect-page.tsx", "/account/wallet", { signature: "0x" }],
    ["account/settings/social/provider-route.ts", "/auth/with/google", {}],
    ["account/settings/social/offer-route.ts", "/account/connections/offer", { intent: "name" }],
    ["account/settings/social/connection-route.ts", "/account/connections/github", connection],
    ["account/sessions/tabs/sign-in-here-route.ts", "/auth/here", account],
    ["account/sign-in/sign-up/invitation-page.tsx", "/auth/invitation?token=x", {}],
    ["account/sign-in/confirm-page.tsx", "/auth/confirm?token=x", {}],
    ["account/settings/account-page.tsx", "/account", { intent: "check" }],
    ["account/settings/account-page.tsx", "/account", { intent: "resend" }],
    ["account/settings/account-page.tsx", "/account", { intent: "change-email", email: "new@example.com", current }],
    ["account/settings/account-page.tsx", "/account", { intent: "change-password", current, ...newPassword }],
    ["account/settings/account-page.tsx", "/account", { intent: "cancel-email" }],
    ["account/sessions/verify-page.tsx", "/account/verify?returnTo=%2Fprofile", proof],
    ["account/sessions/sessions-page.tsx", "/account/sessions", { intent: "end-others" }],
    ["account/sessions/sessions-page.tsx", "/account/sessions", { intent: "end", id: "none" }],
    ["account/sessions/preferences/preferences-page.tsx", "/account/preferences", preferences],
    ["account/sessions/verify-page.tsx", "/account/verify", { intent: "code", code: "123456" }],
    ["account/settings/restore-email-page.tsx", "/account/email/restore?token=x", {}],
    ["account/settings/confirm-email-page.tsx", "/account/email?token=x", {}],
    ["account/settings/delete-account-page.tsx", "/account/delete", { intent: "feedback", feedback: "No" }],
    ["account/settings/export/export-page.tsx", "/account/export", {}],
    ["api/keys/api-keys-page.tsx", "/account/api-keys", { intent: "revoke", id: "none" }],
    ["api/keys/new-key-page.tsx", "/account/api-keys/new", { name: "CRM", access: "read" }],
    ["leads/inbox/inbox-page.tsx", "/leads", { intent: "tag", id: "none", tag: "Fair", back: "" }],
    ["analytics/report/analytics-page.tsx", "/analytics", { intent: "add-note", day: "2026-11-23", text: "Fair" }],
    ["analytics/report/analytics-page.tsx", "/analytics", { intent: "weekly-mail", isOn: "on" }],
    ["leads/inbox/lead/lead-page.tsx", "/leads/none", { intent: "unread" }],
    ["scanner/scan/scan-page.tsx", "/leads/scan", { name: "Grace", card: cardId }],
    ["scanner/in-person/new-lead-page.tsx", "/leads/new", { name: "Grace", card: cardId }],
    ["lead-notices/notifications-page.tsx", "/leads/notifications", { intent: "mail", timing: "daily", hour: "8" }],
    ["lead-notices/notifications-page.tsx", "/leads/notifications", { intent: "remove-forward", id: "none" }],
    ["address-book/devices/devices-page.tsx", "/leads/devices", { intent: "create", name: "Phone" }],
    ["address-book/devices/devices-page.tsx", "/leads/devices", { intent: "revoke", id: "none" }],
    ["leads/inbox/edit/edit-page.tsx", "/leads/none/edit", { name: "Grace", version: "1" }],
    ["leads/inbox/reply/reply-page.tsx", "/leads/none/reply", { text: "Hello" }],
    ["leads/inbox/merge/merge-page.tsx", "/leads/merge", { main: "none", id: "other" }],
    ["integrations/pages/edit-page.tsx", "/integrations/new/brevo", { key: "xkeysib-1", list: "3" }],
    ["integrations/pages/access-route.ts", "/integrations/access/google", {}],
    ["integrations/pages/integration-page.tsx", "/integrations/none", { intent: "pause" }],
    ["webhooks/pages/edit-page.tsx", "/webhooks/new", { url: "https://a.example", "lead.created": "on" }],
    ["webhooks/pages/endpoint-page.tsx", "/webhooks/none", { intent: "off" }],
    ["webhooks/pages/secret-page.tsx", "/webhooks/none/secret", { intent: "show" }],
    ["webhooks/pages/delivery-page.tsx", "/webhooks/none/log/none", { intent: "resend" }],
    ["admin/invitations/invitations-page.tsx", "/admin/invitations", { intent: "invite", addresses: email }],
    ["admin/setup/setup-page.tsx", "/admin/setup", { intent: "test-mail" }],
    ["admin/invitations/invitations-page.tsx", "/admin/invitations", { intent: "invite", addresses: email }],
    ["account/sign-in/sign-up/invitation-page.tsx", "/auth/invitation?token=x", {}],
    ["admin/system/system-page.tsx", "/admin/system", { intent: "discard", id: "none" }],
    ["admin/users/user-page.tsx", "/admin/users/none", { intent: "block", reason: "Spam" }],
    ["billing/checkout/checkout-route.ts", "/pricing/checkout", { period: "yearly" }],
    ["billing/checkout/portal-route.ts", "/account/portal", {}],
    ["account/sign-in/sign-out-route.ts", "/auth/sign-out", {}],
    ["account/sign-in/forgot-password-page.tsx", "/forgot-password", { email: account.email }],
    ["account/sign-in/reset-password-page.tsx", "/reset-password?token=x", newPassword],
    ["contact/contact-page.tsx", "/contact", { name: "Ada", email, message: "Is there a plan for a school class?" }],
    ["avatar/save-route.ts", "/avatar/save", { options: "{}" }],
    ["start/keep-route.ts", "/keep", draftCard],
    ["marketing/landing/demo/pass/demo-pass-page.tsx", "/demo-pass", { ...draftCard, payload: "/u/ada" }],
    ["start/name-page.tsx", "/start/name", { displayName: "Changed", handle: "" }],
    ["start/contact-page.tsx", "/start/contact", { title: "Changed", company: "", email, phone: "", link: "" }],
    ["profile/editor/editor-page.tsx", "/profile", profileForm({ displayName: "Changed" })],
    ["cards/editor/editor-page.tsx", "/cards/edit", { ...cardFields, company: "Changed" }],
    ["cards/editor/editor-page.tsx", `/cards/edit/${cardId}`, { ...cardFields, company: "Changed", version: "1" }],
    ["cards/dialog/details-route.ts", `/cards/${cardId}/details`, { company: "Changed" }],
    ["wallet/design/pass-page.tsx", `/cards/${cardId}/pass`, passDesign],
    ["kiosk/hand-over/hand-over-page.tsx", `/cards/${cardId}/hand-over`, { pin: "12" }],
    ["kiosk/devices/devices-page.tsx", `/cards/${cardId}/kiosk`, { intent: "create", name: "Tablet" }],
    ["kiosk/devices/devices-page.tsx", `/cards/${cardId}/kiosk`, { intent: "remove", id: "none" }],
    ["leads/settings/settings-page.tsx", `/cards/${cardId}/leads`, { is_on: "on", version: "0", months: "24" }],
    ["leads/public/connect-page.tsx", `/card/${cardId}/connect`, { name: "Grace" }],
    ["leads/consent/shared-page.tsx", "/shared/none.x", { intent: "erase" }],
    ["cards/list/delete-route.ts", `/cards/${cardId}/delete`, {}],
    ["cards/list/main-route.ts", `/cards/${cardId}/main`, {}],
    ["cards/list/pause-route.ts", `/cards/${cardId}/pause`, {}],
    ["cards/list/move-route.ts", `/cards/${cardId}/move`, {}],
    ["cards/list/duplicate-route.ts", `/cards/${cardId}/duplicate`, {}],
    ["cards/import/import-route.ts", "/cards/import", {}],
    ["profile/editor/links/import-links-route.ts", "/profile/links/import", {}],
    ["shell/theme/theme-route.ts", "/theme", {}],
    ["shell/not-found/not-found-page.tsx", "/nowhere", { a: "b" }],
  ];
  return rows.map(([page, path, fields]) => ({ page, path, fields }));
}

export function hasFields({ fields }: FilledForm): boolean {
  return Object.keys(fields).length > 0;
}
