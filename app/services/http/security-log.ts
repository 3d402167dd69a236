import type { Logger } from "pino";

type SecurityEvent = {
  event: "signed-in" | "sign-in-refused" | "limit-reached" | "password-reset" | "account-deleted";
  /** The request's id in the log. */
  id: string;
  /** The id of the account, if there is one. Never an e-mail or network address. */
  account: string | undefined;
  /** The name of the limit that was reached. */
  limit?: string;
};

/** Logs a security event as a line of its own, to be found by the field `security`. */
export function logSecurityEvent(log: Logger, { event, id, account, limit }: SecurityEvent): void {
  const isNormal = event === "signed-in" || event === "password-reset" || event === "account-deleted";
  const fields = { security: event, id, ...(account && { account }), ...(limit && { limit }) };
  log[isNormal ? "info" : "warn"](fields, `security: ${event}`);
}
