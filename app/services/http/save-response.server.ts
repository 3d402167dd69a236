import type { Logger } from "pino";

import { isDiskFull, isOutcomeUnknown, isUnavailable } from "#app/services/base/errors.ts";

import { logFailure } from "./request-log.server.ts";

/**
 * Returns what `write` returns. When it fails, logs why, and returns what `refuse` makes of the message and the status. Throws the responses
 * of the router that `write` throws, such as a redirect or a 404.
 */
export async function tryWrite<Result, Message, Refusal>(
  log: Pick<Logger, "error">,
  write: () => Promise<Result>,
  { refuse, ...failure }: WriteFailure<Message> & { refuse: (message: Message, status: 500 | 503) => Refusal },
): Promise<Result | Refusal> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { status, message } = reportWriteFailure(log, error, failure);
    return refuse(message, status);
  }
}

/**
 * Logs why a write failed, and returns the status and the message to respond with. 503 when the disk is full, because the same write
 * works once there is space, when the connection to the database was lost, so that no one knows whether it was carried out, and when
 * the database can't be reached. 500 for any other error.
 */
export function reportWriteFailure<Message>(
  log: Pick<Logger, "error">,
  error: unknown,
  { event, unexpected, diskFull = unexpected, outcomeUnknown = unexpected }: WriteFailure<Message>,
): { status: 500 | 503; message: Message } {
  logFailure(log, error, event);
  if (isOutcomeUnknown(error)) return { status: 503, message: outcomeUnknown };
  if (isDiskFull(error)) return { status: 503, message: diskFull };
  return { status: isUnavailable(error) ? 503 : 500, message: unexpected };
}

/** `event` is logged; the messages are for the user. By default all are the one for an unexpected error. */
export type WriteFailure<Message> = {
  event: string;
  unexpected: Message;
  diskFull?: Message;
  outcomeUnknown?: Message;
};
