import type { ContentfulStatusCode } from "hono/utils/http-status";

import type { Viewer } from "#app/services/auth/sessions/viewer.server.ts";
import type { Services } from "#app/services/http/context.ts";

/** A call of programs and of our own pages: `/functions/v1/<name>`, with JSON in both directions. */
export type ServerFunction = {
  /** "create-checkout" */
  name: string;
  /** A GET must not change anything: it is accepted from any origin. */
  method: "GET" | "POST";
} & (
  | {
      isPublic?: false;
      /** The error for a caller who isn't signed in. */
      signedOut?: string;
      run: (services: Services, call: FunctionCall) => Promise<FunctionResult>;
    }
  /** Visitors may call it, too. */
  | { isPublic: true; run: (services: Services, call: PublicFunctionCall) => Promise<FunctionResult> }
);

export type PublicFunctionCall = {
  user: Viewer | undefined;
  /** The caller's network address, for rate limits. */
  address: string;
  /** The JSON object in the body, {} without a body. It comes from outside: parse it. */
  input: Record<string, unknown>;
  query: URLSearchParams;
};

export type FunctionCall = PublicFunctionCall & { user: Viewer };

/** `status` is 200 by default. */
export type FunctionResult = { status?: ContentfulStatusCode; body: Record<string, unknown> | readonly unknown[] };

/** A refused call. `details` says what the caller can do about it. */
export function functionError(status: ContentfulStatusCode, error: string, details?: string): FunctionResult {
  return { status, body: { error, ...(details !== undefined && { details }) } };
}
