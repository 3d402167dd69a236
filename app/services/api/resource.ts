import type { z } from "zod";

import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { Services } from "#app/services/http/context.ts";

/** What an API key may do: an area, to read or to write. Writing doesn't include reading. */
export const scopes = [
  "cards:read",
  "cards:write",
  "profile:read",
  "profile:write",
  "files:read",
  "files:write",
  "leads:read",
  "leads:write",
  "statistics:read",
  "webhooks:read",
  "webhooks:write",
  "account:read",
  "exports:read",
] as const;
export type Scope = (typeof scopes)[number];

/** A part of the API, which a feature declares in its `feature.server.ts`; REST, the OpenAPI document and MCP follow from it. */
export type Resource = { name: string; title: string; description: string; operations: readonly Operation[] };

/** One call. Paths are below `/api/v1` and have parameters in braces: "/cards/{id}". */
export type Operation = {
  /** The `operationId`, unique in the API: "listCards". */
  id: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  /** A few words for lists of operations. */
  summary: string;
  /** What is worth knowing beyond the schemas. */
  description?: string;
  scope: Scope;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** A body that is a file instead of JSON: its media types, and the most bytes of it. */
  file?: FileBody;
  /** The success status and what it carries: JSON of the schema; a file with its media type, whose body is a stream; or nothing. */
  response: { status: 200 | 201 | 202 | 204; schema?: z.ZodType; mediaType?: string };
  /** The resource has a version: `ETag` and `If-Match`. */
  isVersioned?: boolean;
  /** Parts of the response change without the version, so that it is never answered with a 304. */
  isLive?: boolean;
  /** The codes it may fail with, beside those that every operation has. */
  problems?: readonly ("plan_limit" | "conflict" | "wrong_owner" | "version_conflict" | "quota_exceeded")[];
  /** Its name and description as an MCP tool. Few operations are tools. */
  tool?: { name: string; description: string };
  run(services: Services, call: Call): Promise<Result>;
};

type FileBody = { mediaTypes: readonly string[]; maxBytes: number };

/**
 * Receives the file that is the body of a call, and calls `work` with its path; the file is deleted when `work` ends. Throws for a file that
 * is too large or was cut off.
 */
export type ReceiveFile = <T>(work: (file: string) => Promise<T>) => Promise<T>;

/** A checked call of an operation. */
export type Call<Params = Record<string, string>, Query = unknown, Body = unknown> = {
  owner: ApiOwner;
  params: Params;
  query: Query;
  body: Body;
  /** The version in `If-Match`; undefined without one. */
  version: number | undefined;
  /** Identifies the call: the same for a repeated `Idempotency-Key`. */
  callId: string;
  /** Of the caller, for the security log. */
  origin: RequestOrigin;
};

/** The account that the key belongs to. */
export type ApiOwner = { id: string; email: string; name: string; keyId: string };

export type Result<Body = unknown> = {
  body?: Body;
  /** Only where it differs from the declared one. */
  status?: 200 | 201;
  version?: number;
  /** Where to read on, on a page of a list; `null` at its end. */
  nextCursor?: string | null;
  /** The path of a created resource, below `/api/v1`. */
  location?: string;
};

type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name]: string } & ParamsOf<Rest>
  : unknown;

type Declared<
  Path extends string,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Output extends z.ZodType,
  File extends FileBody | undefined,
> = Omit<Operation, "path" | "query" | "body" | "file" | "response" | "run"> & {
  path: Path;
  query?: Query;
  body?: Body;
  file?: File;
  response: { status: 200 | 201 | 202 | 204; schema?: Output; mediaType?: string };
  run(
    services: Services,
    call: Call<ParamsOf<Path>, z.output<Query>, File extends FileBody ? ReceiveFile : z.output<Body>>,
  ): Promise<Result<z.input<Output>>>;
};

/** Declares an operation, with the types of its schemas and its path in `run`. */
export function operation<
  const Path extends string,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Output extends z.ZodType,
  File extends FileBody | undefined = undefined,
>(declared: Declared<Path, Query, Body, Output, File>): Operation {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The route parses each call with these very schemas.
  return declared as unknown as Operation;
}
