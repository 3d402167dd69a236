import { z } from "zod";

import type { PublicAnswer, SendFailure, SendProblem } from "#app/services/http/public/public-sender.server.ts";
import type { Services } from "#app/services/http/context.ts";

import type { SendRequest } from "./destination.ts";
import { maxStoredAnswer } from "./rules.ts";

/**
 * Why a request failed. "later": it is tried again. "slow-down": nothing is sent for a while. "refused": the key isn't accepted. "rejected":
 * this contact isn't, and won't be.
 */
export class DestinationError extends Error {
  readonly kind: "later" | "slow-down" | "refused" | "rejected";
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  constructor(kind: DestinationError["kind"], message: string, answer: Partial<PublicAnswer> = {}) {
    super(message);
    this.kind = kind;
    this.status = answer.status;
    this.retryAfter = answer.retryAfter;
  }
  /** For an owner: "Answer 404. Not found". */
  explanation(): string {
    return [this.status === undefined ? "" : `Answer ${this.status}.`, this.message].filter(Boolean).join(" ");
  }
}

/** Anything else than a refusal of the other side, or an answer that can't be read, fails the job. */
export function toFailure(error: unknown): DestinationError {
  if (error instanceof DestinationError) return error;
  if (error instanceof z.ZodError || error instanceof SyntaxError)
    return new DestinationError("later", "The answer isn’t what this service usually sends.");
  throw error;
}

/** Requests to the other side, which a user chose: only to public addresses (SSRF). */
export function createSend({ sendPublicly, config }: Pick<Services, "sendPublicly" | "config">): SendRequest {
  const agent = `Meishi (${new URL(config.baseUrl).host})`;
  return async ({ method, url, headers = {}, body, accepts = [] }) => {
    const isText = typeof body === "string";
    const text = isText ? body : body === undefined ? "" : JSON.stringify(body);
    const type: Record<string, string> = isText || body === undefined ? {} : { "content-type": "application/json" };
    const length = { "content-length": String(Buffer.byteLength(text)) };
    const result = await sendPublicly(url, {
      method,
      headers: { "user-agent": agent, accept: "application/json", ...type, ...length, ...headers },
      body: text,
    });
    if ("problem" in result) throw problemError(result);
    if ((result.status >= 200 && result.status < 300) || accepts.includes(result.status)) return result;
    throw new DestinationError(kindOf(result.status), shortText(result.text), result);
  };
}

function kindOf(status: number): DestinationError["kind"] {
  if (status === 401 || status === 403) return "refused";
  if (status === 429) return "slow-down";
  return status >= 500 || status === 408 || status === 425 ? "later" : "rejected";
}

function problemError({ problem }: SendFailure): DestinationError {
  return new DestinationError(problem === "refused-address" ? "refused" : "later", problemTexts[problem]);
}

const problemTexts: Record<SendProblem, string> = {
  "refused-address": "The address isn’t https on the internet.",
  dns: "The host has no address.",
  tls: "The certificate isn’t valid.",
  timeout: "No answer in time.",
  connection: "The connection was refused or lost.",
  "invalid-answer": "The answer isn’t HTTP.",
};

function shortText(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, maxStoredAnswer).toWellFormed();
}
