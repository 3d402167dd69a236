import { saveMessages } from "#app/features/profile/messages.ts";
import { problems } from "#app/services/api/problem.ts";
import type { ApiProblem } from "#app/services/api/problem.ts";
import { ClientRefusal } from "#app/services/client-api/client-route.server.ts";
import type { ClientProblem } from "#app/services/client-api/client-route.server.ts";

/** Codes that clients of the specification know, of PostgREST and of PostgreSQL, and their usual status. */
const statuses = {
  PGRST000: 503,
  PGRST100: 400,
  PGRST102: 400,
  PGRST116: 406,
  PGRST204: 400,
  PGRST205: 404,
  PGRST301: 401,
  PGRST303: 401,
  "21000": 400,
  "23505": 409,
  "23514": 400,
  "42501": 403,
  "42703": 400,
  P0001: 400,
  XX000: 500,
} as const;

type Details = { status?: number; details?: string; hint?: string; headers?: Record<string, string> };

export function refuse(
  code: keyof typeof statuses,
  message: string,
  { status = statuses[code], details, hint, headers }: Details = {},
): ClientRefusal {
  return new ClientRefusal(status, { code, message, details: details ?? null, hint: hint ?? null }, headers);
}

/** For everything of the query language that this API doesn't have. */
export function unsupported(what: string): ClientRefusal {
  const hint =
    "Supported: select with columns or *, eq, in, is (null, true, false), order, limit, offset and Range; count, head, single and " +
    "maybeSingle; insert of one row, upsert of a profile on user_id, update and delete with a filter.";
  return refuse("PGRST100", `${what.slice(0, 200)} isn't supported.`, { hint });
}

export function notOwn(table: string, isSignedIn: boolean): ClientRefusal {
  const hint = isSignedIn ? "You can change only your own rows." : "Sign in first.";
  return refuse("42501", `permission denied for table ${table}`, { status: isSignedIn ? 403 : 401, hint });
}

type FieldError = { column: string; message: string };

/** What is wrong with fields; `details` names their columns. */
export function invalidFields(errors: readonly FieldError[], code: "23514" | "P0001" = "23514"): ClientRefusal {
  const join = (part: keyof FieldError, separator: string) =>
    [...new Set(errors.map((error) => error[part]))].join(separator);
  return refuse(code, join("message", " "), { details: join("column", ", ") });
}

type FieldNames = { columnOf?: (field: string) => string; limitText?: string | undefined };

/** A problem of an operation of our REST API. `columnOf`: the column of each of its fields. */
export function toOperationRefusal(
  { code, message, errors, headers }: ApiProblem,
  { columnOf = (field) => field, limitText = message }: FieldNames = {},
): ClientRefusal {
  const named = errors.map((error) => ({ ...error, column: columnOf(error.pointer.split("/")[1] ?? "") }));
  const taken = named.find((error) => error.message === saveMessages.handleTaken);
  if (taken) return refuse("23505", taken.message, { details: taken.column });
  // P0001: an error that a program in the database raises.
  if (named.length > 0) return invalidFields(named, code === "plan_limit" ? "P0001" : "23514");
  if (code === "plan_limit") return refuse("P0001", limitText);
  const isOfBody = code === "invalid_json" || code === "too_large";
  return refuse(isOfBody ? "PGRST102" : "P0001", message, { status: problems[code].status, headers: { ...headers } });
}

/** What the route refuses before a table is asked. */
export function toRefusal(problem: ClientProblem): ClientRefusal {
  const [code, message] = routeProblems[problem];
  return refuse(code, message, problem === "too-large" ? { status: 413 } : {});
}

const routeProblems: Record<ClientProblem, [code: keyof typeof statuses, message: string]> = {
  "no-key": ["PGRST301", "Invalid API key: send the public key in the header apikey."],
  "token-malformed": ["PGRST301", "The access token is invalid."],
  "token-expired": ["PGRST303", "JWT expired"],
  "token-ended": ["PGRST303", "The session has ended. Sign in again."],
  "second-factor": ["42501", "Finish the two-step verification first."],
  "too-large": ["PGRST102", "The body is too large."],
  "outcome-unknown": ["PGRST000", "The request may or may not have been carried out."],
  unavailable: ["PGRST000", "The server can't answer right now. Try again later."],
  internal: ["XX000", "Something went wrong on our end."],
};
