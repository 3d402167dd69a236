import { AsyncLocalStorage } from "node:async_hooks";

import type { Logger } from "pino";

/**
 * The request that the running code answers; undefined in background work. Only what is logged may depend on it: everything else gets its
 * request as an argument.
 */
export const currentRequest = new AsyncLocalStorage<{ id: string; viewer: { id: string } | undefined }>();

/** Logs an error with the id of the request that it happened in. */
export function logFailure(log: Pick<Logger, "error">, error: unknown, text: string) {
  log.error({ err: error, id: currentRequest.getStore()?.id }, text);
}

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
  /** The id of the account, if there is one. Never an email or network address. */
  account?: string | undefined;
  /** The name of the limit that was reached. */
  limit?: string;
};

/** Logs a security event as a line of its own, to be found by the field `security`, with the id of the request that caused it. */
export function logSecurityEvent(log: Logger, { event, account, limit }: SecurityEvent): void {
  const id = currentRequest.getStore()?.id;
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
