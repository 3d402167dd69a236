/**
 * Why a call of the API fails, by its `code`, which programs may rely on: the HTTP status and a title. The body is a problem document (RFC
 * 9457) with `code`, `requestId` and, where fields are wrong, `errors`.
 */
export const problems = {
  invalid_request: { status: 400, title: "The request is invalid" },
  invalid_json: { status: 400, title: "The body isn't valid JSON" },
  key_in_url: { status: 400, title: "An API key was sent in the URL" },
  missing_key: { status: 401, title: "No API key was sent" },
  unknown_key: { status: 401, title: "The API key is unknown" },
  revoked_key: { status: 401, title: "The API key was revoked" },
  expired_key: { status: 401, title: "The API key has expired" },
  account_blocked: { status: 403, title: "The account is blocked" },
  missing_scope: { status: 403, title: "The API key doesn't have the scope" },
  wrong_owner: { status: 403, title: "The API key belongs to another account" },
  plan_limit: { status: 403, title: "The plan doesn't include this" },
  not_found: { status: 404, title: "Not found" },
  method_not_allowed: { status: 405, title: "The method isn't allowed here" },
  conflict: { status: 409, title: "The request conflicts with another one" },
  version_conflict: { status: 412, title: "The resource was changed in the meantime" },
  too_large: { status: 413, title: "The body is too large" },
  unsupported_media_type: { status: 415, title: "The body isn't of the expected type" },
  idempotency_mismatch: { status: 422, title: "The Idempotency-Key was used for another request" },
  rate_limited: { status: 429, title: "Too many requests" },
  quota_exceeded: { status: 507, title: "The account has no space left for this" },
  internal: { status: 500, title: "Something went wrong on our end" },
  unavailable: { status: 503, title: "The server can't answer right now" },
  outcome_unknown: { status: 503, title: "The request may or may not have been carried out" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof problems;

/** A wrong field: `pointer` is a JSON pointer into the body (RFC 6901), or "?limit" for a parameter. */
export type FieldProblem = { pointer: string; message: string };

/** Thrown by operations and by the layer; the response is a problem document. */
export class ApiProblem extends Error {
  override name = "ApiProblem";
  readonly code: ProblemCode;
  readonly errors: readonly FieldProblem[];
  readonly headers: Readonly<Record<string, string>>;

  /** `detail` says in a sentence what is wrong and what to do. */
  constructor(
    code: ProblemCode,
    detail: string,
    { errors = [], headers = {} }: { errors?: readonly FieldProblem[]; headers?: Record<string, string> } = {},
  ) {
    super(detail);
    this.code = code;
    this.errors = errors;
    this.headers = headers;
  }
}

/** For unknown ids and for those of other owners. */
export function notFound(what: string): ApiProblem {
  return new ApiProblem("not_found", `There is no ${what} with this id.`);
}

/** A 400 that names each wrong field. */
export function invalid(errors: readonly FieldProblem[]): ApiProblem {
  const detail = errors.length === 1 ? "A field is wrong." : `${errors.length} fields are wrong.`;
  return new ApiProblem("invalid_request", detail, { errors: errors.slice(0, maxErrors) });
}

/** A 403 for fields that only another plan may set. */
export function beyondPlan(errors: readonly FieldProblem[]): ApiProblem {
  return new ApiProblem("plan_limit", errors[0]?.message ?? problems.plan_limit.title, { errors });
}

/** More than anyone reads. */
const maxErrors = 100;

/** Throws where `If-Match` has another version than the stored one. */
export function checkVersion(what: string, stored: number, sent: number | undefined): void {
  if (sent !== undefined && sent !== stored)
    throw new ApiProblem(
      "version_conflict",
      `The ${what} now has version ${stored}. Read it and send your change again.`,
    );
}

/** A limit was reached that ends at `until`; both in epoch milliseconds. */
export function tooMany(detail: string, { until, now }: { until: number; now: number }): ApiProblem {
  return new ApiProblem("rate_limited", detail, {
    headers: { "retry-after": String(Math.ceil((until - now) / 1_000)) },
  });
}

/** Errors of a check, by path: "links.2.url" -> "/links/2/url". */
export function toFieldProblems(errors: Readonly<Partial<Record<string, string>>>): FieldProblem[] {
  return Object.entries(errors).map(([path, message = ""]) => ({ pointer: `/${path.replaceAll(".", "/")}`, message }));
}

/** The problem document of a failed call. */
export function toDocument({ code, message, errors }: ApiProblem, requestId: string) {
  const { status, title } = problems[code];
  const detail = { type: "about:blank", title, status, code, detail: message, requestId };
  return errors.length > 0 ? { ...detail, errors } : detail;
}
