export type ApiResponse = { status: number; body: unknown };

/** The newest first, as Stripe lists everything. */
export function list<T extends { id: string }>(
  all: T[],
  fields: Record<string, unknown>,
  isListed: (one: T) => boolean,
): ApiResponse {
  const found = all.filter(isListed).toReversed();
  const after = found.findIndex(({ id }) => id === fields.starting_after) + 1;
  const limit = Number(fields.limit ?? 10);
  if (limit < 1 || limit > 100) return refuse(400, "This value must be between 1 and 100.");
  const data = found.slice(after, after + limit);
  return { status: 200, body: { object: "list", url: "/v1", data, has_more: found.length > after + limit } };
}

export function matches(one: Record<string, unknown>, fields: Record<string, unknown>, names: string[]): boolean {
  return names.every((name) => fields[name] === undefined || fields[name] === one[name]);
}

export function ok(found: unknown, id = ""): ApiResponse {
  return found === undefined ? missing("object", id) : { status: 200, body: found };
}

export function missing(kind: string, id: string): ApiResponse {
  return refuse(404, `No such ${kind}: '${id}'`, "resource_missing");
}

export function refuse(status: number, message: string, code?: string): ApiResponse {
  const type = status === 429 || status >= 500 ? "api_error" : "invalid_request_error";
  return { status, body: { error: { type, message, ...(code && { code }) } } };
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
