import type { Logger } from "pino";

type SecurityEvent = {
  event:
    | "signed-in"
    | "sign-in-refused"
    /** A signed-in user gave a wrong current password. */
    | "password-refused"
    | "limit-reached"
    | "password-reset"
    | "password-changed"
    | "email-changed"
    | "account-deleted"
    /** Its signature was wrong. */
    | "webhook-refused";
  /** The request's id in the log, if one request caused it. */
  id: string | undefined;
  /** The id of the account, if there is one. Never an email or network address. */
  account: string | undefined;
  /** The name of the limit that was reached. */
  limit?: string;
};

/** Logs a security event as a line of its own, to be found by the field `security`. */
export function logSecurityEvent(log: Logger, { event, id, account, limit }: SecurityEvent): void {
  const isNormal = !warnings.includes(event);
  const fields = { security: event, ...(id && { id }), ...(account && { account }), ...(limit && { limit }) };
  log[isNormal ? "info" : "warn"](fields, `security: ${event}`);
}

const warnings: readonly SecurityEvent["event"][] = [
  "sign-in-refused",
  "password-refused",
  "limit-reached",
  "webhook-refused",
];
