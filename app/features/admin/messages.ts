export const operatorActions = [
  "sign-out",
  "confirm",
  "block",
  "unblock",
  "reset-two-step",
  "grant",
  "revoke",
  "delete",
] as const;

export type OperatorAction = (typeof operatorActions)[number];

/** An action in the operator's log. */
export const actionLabels: Record<OperatorAction, string> = {
  "sign-out": "Signed out everywhere",
  confirm: "Confirmed the email",
  block: "Blocked",
  unblock: "Unblocked",
  "reset-two-step": "Reset two-step verification",
  grant: "Granted Premium",
  revoke: "Revoked Premium",
  delete: "Deleted the account",
};

/** What an operator did about an invitation, in the operator's log. */
export const invitationLabels = {
  invite: "Invited",
  "invite-again": "Sent the invitation again",
  "invite-revoke": "Revoked the invitation",
} as const;

export type InvitationAction = keyof typeof invitationLabels;

/** What an operator did about jobs that failed, in the operator's log. */
export const jobLabels = { "job-retry": "Retried", "job-discard": "Discarded" } as const;

export type JobAction = keyof typeof jobLabels;

/** What a kind of job does. */
const queueLabels: Record<string, string> = {
  mail: "Emails",
  "mail to a lead": "Emails to leads",
  "reply to a lead": "Replies to leads",
  "lead-notice": "Emails about leads",
  "chat-notice": "Chat messages about leads",
  "forward-lead": "Forwarded leads",
  integration: "Copies of leads at other services",
  "weekly-mail": "Weekly emails",
  "plan-mail": "Emails about Premium",
  "export-data": "Exports of accounts",
  "erase deleted leads": "Deletion of leads",
  "remove-files": "Deletion of files",
  "provider-picture": "Pictures from sign-in providers",
  "sample-face": "Picture of the sample profile",
  "wallet-pass-update": "Apple Wallet passes",
  "wallet-device-update": "Apple Wallet devices",
  "wallet-plan-end": "Passes after the end of Premium",
  "google-wallet-update": "Google Wallet passes",
  "operator-notice": "Payment alerts for the log",
  "sync-stripe-customer": "Subscriptions from Stripe",
  "sync-stripe-charge": "Charges from Stripe",
  "reconcile-stripe": "Comparison with Stripe",
  "update-stripe-email": "Changed emails for Stripe",
  "delete-stripe-customer": "Deletion at Stripe",
  maintenance: "Maintenance",
  events: "Changes to announce",
  webhooks: "Webhook messages",
};

/** A process of another version may have added a kind that this one doesn't know. */
export function queueLabel(kind: string): string {
  return queueLabels[kind] ?? (kind.startsWith("event:") ? "Work after a change" : "Other work");
}

/** What Stripe reported, in the operator's log. */
export const noticeLabels: Record<string, string> = {
  "payment-disputed": "Payment disputed at the bank, Premium continues",
  "payment-refunded": "Payment refunded in full, Premium continues",
  "unknown-price": "Subscribed at a price that isn’t ours, which gives no Premium",
  "paid-twice": "Pays for two subscriptions, end and refund one in Stripe’s dashboard",
};

/** The title of a form that is sent again. */
export const actionQuestions: Record<OperatorAction, string> = {
  "sign-out": "Sign out everywhere?",
  confirm: "Confirm the email?",
  block: "Block the account?",
  unblock: "Unblock the account?",
  "reset-two-step": "Reset two-step verification?",
  grant: "Grant Premium?",
  revoke: "Revoke Premium?",
  delete: "Delete the account?",
};

export const adminMessages = {
  done: {
    "sign-out": "Signed out everywhere",
    confirm: "Email confirmed",
    block: "Account blocked",
    unblock: "Account unblocked",
    "reset-two-step": "Two-step verification reset",
    grant: "Premium granted",
    revoke: "Premium revoked",
    delete: "Account deleted",
  } satisfies Record<OperatorAction, string>,
  reasonRequired: "Enter a reason.",
  reasonTooLong: "Use at most 200 characters.",
  typeEmail: "Type the account’s email to confirm.",
  ownAccount: "You can’t do this to your own account.",
  otherOperator: "This is an operator’s account. Use the command line: npm run account.",
  noSecondFactor: "This account doesn’t use two-step verification.",
  noGrant: "No Premium was granted to this account.",
  everyoneHasPremium: "Everyone has Premium here.",
  untilInvalid: "Enter a day that isn’t over, such as 2027-12-31.",
  invite: {
    none: "Enter at least one email address.",
    tooMany: (count: number) => `Enter at most 50 addresses at a time. These are ${count}.`,
    tooLong: "This text is too long for 50 addresses.",
    bad: (named: readonly string[], more: number) =>
      `Not an email address: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}. No one was invited.`,
    sent: (count: number) => (count === 1 ? "1 invitation sent" : `${count} invitations sent`),
    again: "Invitation sent again",
    revoked: "Invitation revoked",
    gone: "This invitation was accepted or revoked.",
  },
  system: {
    retried: (count: number) => (count === 1 ? "The job runs again" : `${count} jobs run again`),
    discarded: "Job discarded",
    gone: "Someone else retried or discarded this meanwhile",
    started: (task: string) => `Started: ${task}`,
    reload: "Reload the page in a moment to see the result.",
  },
  identityFirst: {
    title: "First confirm it’s you",
    text: "The admin pages ask every 10 minutes. Do that in a new tab, then submit this form again.",
  },
  failed: "Couldn’t do that. Try again in a moment.",
} as const;

export const maxReasonLength = 200;

/** What a security event means, for the operator and the owner. */
export const eventLabels: Record<string, string> = {
  "signed-in": "Signed in",
  "signed-out": "Signed out",
  "sign-in-refused": "Sign-in refused",
  "identity-confirmed": "Confirmed their identity",
  "session-ended": "Session ended",
  "password-set": "Password set",
  "password-changed": "Password changed",
  "email-changed": "Email changed",
  "email-confirmed": "Email confirmed",
  "factor-added": "Second factor added",
  "factor-removed": "Second factor removed",
  "factor-refused": "Second factor refused",
  "backup-codes-made": "Backup codes created",
  "backup-code-used": "Backup code used",
  "account-linked": "Account connected",
  "account-unlinked": "Account disconnected",
  "data-exported": "Data exported",
  "kiosk-link-created": "Kiosk link created",
  "kiosk-link-removed": "Kiosk link removed",
  blocked: "Blocked",
  unblocked: "Unblocked",
  "plan-granted": "Premium granted",
  "plan-revoked": "Premium revoked",
  "webhook-added": "Webhook added",
  "webhook-changed": "Webhook changed",
  "webhook-secret-shown": "Webhook secret shown",
  "webhook-secret-rotated": "Webhook secret rotated",
  "webhook-deleted": "Webhook deleted",
};
