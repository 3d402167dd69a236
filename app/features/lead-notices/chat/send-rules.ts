import { plainLine, shortened } from "#app/services/base/plain-text.ts";

/** What became of a message: it was accepted, never will be, or may be later (with the time that the chat asked to wait). */
export type ChatOutcome =
  | { kind: "sent" }
  | { kind: "refused"; reason: string }
  | { kind: "later"; reason: string; waitMs: number | undefined };

type Answer = { status: number; retryAfter: string | undefined; text: string } | { problem: string };

/** An hour: a chat can't ask for more. */
const maxWaitMs = 3_600_000;

/** Slack answers 404 and 410 for a webhook or a channel that is gone, 403 for one that isn't allowed, 429 for too many messages. */
export function readOutcome(answer: Answer, now: number): ChatOutcome {
  if ("problem" in answer) {
    const reason = problemTexts[answer.problem] ?? "The chat couldn't be reached.";
    return answer.problem === "refused-address"
      ? { kind: "refused", reason }
      : { kind: "later", reason, waitMs: undefined };
  }
  const { status } = answer;
  if (status >= 200 && status < 300) return { kind: "sent" };
  const text = shortened(plainLine(answer.text), maxTextLength);
  const reason = `The chat answered ${status}${text ? `: ${text}` : "."}`;
  if (status === 429) return { kind: "later", reason, waitMs: readRetryAfter(answer.retryAfter, now) };
  return status === 408 || status >= 500 ? { kind: "later", reason, waitMs: undefined } : { kind: "refused", reason };
}

const maxTextLength = 200;

const problemTexts: Record<string, string> = {
  "refused-address": "The address isn't a public https address.",
  dns: "The name of the chat's server wasn't found.",
  tls: "The certificate of the chat's server isn't valid.",
  timeout: "The chat didn't answer in time.",
  connection: "The chat closed the connection.",
  "invalid-answer": "What answered isn't a web server.",
};

/** RFC 9110 §10.2.3: seconds or a date. At least a second, at most an hour. */
function readRetryAfter(value: string | undefined, now: number): number | undefined {
  const ms = /^\d+$/.test(value ?? "") ? Number(value) * 1000 : Date.parse(value ?? "") - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 1000), maxWaitMs);
}
