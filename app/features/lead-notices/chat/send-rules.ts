import { plainLine, shortened } from "#app/services/base/plain-text.ts";

/**
 * What became of a message: it was accepted, never will be, or may be later (with the time that the chat asked to wait). `reason` can be
 * stored and logged; `full` has the text of the answer, which may repeat the message, and with it details of a visitor.
 */
export type ChatOutcome =
  | { kind: "sent" }
  | { kind: "refused"; reason: string; full: string }
  | { kind: "later"; reason: string; full: string; waitMs: number | undefined };

const unreadable = "The address can’t be read anymore, because the installation’s secret has changed.";

/** For an address that can't be decrypted. Only its owner can repair that. */
export const unreadableAddress: ChatOutcome = { kind: "refused", reason: unreadable, full: unreadable };

type Answer = { status: number; retryAfter: string | undefined; text: string } | { problem: string };

/** A chat that asks again and again to come back at once would occupy a worker for as long as it likes. */
const minWaitMs = 60_000;
/** An hour: a chat can't ask for more. */
const maxWaitMs = 3_600_000;

/** Slack answers 404 and 410 for a webhook or a channel that is gone, 403 for one that isn't allowed, 429 for too many messages. */
export function readOutcome(answer: Answer, now: number): ChatOutcome {
  if ("problem" in answer) {
    const reason = problemTexts[answer.problem] ?? "The chat couldn’t be reached.";
    return answer.problem === "refused-address"
      ? { kind: "refused", reason, full: reason }
      : { kind: "later", reason, full: reason, waitMs: undefined };
  }
  const { status } = answer;
  if (status >= 200 && status < 300) return { kind: "sent" };
  const text = shortened(plainLine(answer.text), maxTextLength);
  const full = `The chat answered ${status}${text ? `: ${text}` : "."}`;
  const texts = { reason: errorCode.test(text) ? full : `The chat answered ${status}.`, full };
  if (status === 429) return { kind: "later", ...texts, waitMs: readRetryAfter(answer.retryAfter, now) };
  return status === 408 || status >= 500
    ? { kind: "later", ...texts, waitMs: undefined }
    : { kind: "refused", ...texts };
}

const maxTextLength = 200;

/** As Slack answers: "no_service", "channel_is_archived". */
const errorCode = /^[a-z]+(?:_[a-z]+)+$/;

const problemTexts: Record<string, string> = {
  "refused-address": "The address isn’t a public https address.",
  dns: "The name of the chat’s server wasn’t found.",
  tls: "The certificate of the chat’s server isn’t valid.",
  timeout: "The chat didn’t answer in time.",
  connection: "The chat closed the connection.",
  "invalid-answer": "What answered isn’t a web server.",
};

/** RFC 9110 §10.2.3: seconds or a date. At least a minute, at most an hour. */
function readRetryAfter(value: string | undefined, now: number): number | undefined {
  const ms = /^\d+$/.test(value ?? "") ? Number(value) * 1000 : Date.parse(value ?? "") - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, minWaitMs), maxWaitMs);
}
