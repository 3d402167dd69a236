import { z } from "zod";

import { keyPattern } from "./api-key.ts";
import { apiPath } from "./api-route.server.ts";
import type { JsonSchema, OpenApiDocument, OpenApiOperation, OpenApiParameter } from "./openapi-schema.ts";
import { problems } from "./problem.ts";
import type { ProblemCode } from "./problem.ts";
import { scopes } from "./resource.ts";
import type { Operation, Resource } from "./resource.ts";

/** The OpenAPI 3.1 document of the resources of all features. Throws when two different schemas have the same id. */
export function describeApi(
  features: readonly { resources?: readonly Resource[] }[],
  baseUrl: string,
): OpenApiDocument {
  // Readers begin with cards, whatever the names of the features' folders.
  const order = ({ operations: [first] }: Resource) => scopes.findIndex((scope) => scope === first?.scope);
  const resources = features.flatMap((feature) => feature.resources ?? []).toSorted((a, b) => order(a) - order(b));
  const schemas: Record<string, JsonSchema> = {};
  const toSchema = schemaCollector(schemas);
  schemas["Problem"] = toSchema(problemSchema, "output");
  const paths: OpenApiDocument["paths"] = {};
  for (const { operations, title } of resources)
    for (const operation of operations) {
      const ofPath = (paths[operation.path] ??= {});
      ofPath[operation.method.toLowerCase()] = describeOperation(operation, title, toSchema);
    }
  return {
    openapi: "3.1.0",
    info: {
      title: "Meishi API",
      version: "1",
      summary: "Business cards, profiles and leads for programs.",
      description: `Its reference is at ${baseUrl}/docs/api.`,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl + apiPath }],
    security: [{ apiKey: [] }],
    tags: resources.map(({ title, description }) => ({ name: title, description })),
    paths,
    components: {
      schemas,
      headers,
      parameters,
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: `An API key (${keyPattern}), created at /account/api-keys.`,
        },
      },
    },
  };
}

type ToSchema = (schema: z.ZodType, io: "input" | "output") => JsonSchema;

/** Schemas with an id become components; the others are returned as they are. */
function schemaCollector(components: Record<string, JsonSchema>): ToSchema {
  return (schema, io) => {
    const {
      $schema: _,
      $defs = {},
      ...converted
    } = z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => {
        simplify(jsonSchema, io);
        // Zod takes examples for those of the output, and leaves them out of a body that is transformed.
        const { examples } = z.globalRegistry.get(zodSchema) ?? {};
        if (io === "input" && Array.isArray(examples)) jsonSchema.examples = examples;
      },
    });
    const toComponents = (part: unknown): JsonSchema =>
      JSON.parse(JSON.stringify(part).replaceAll(`"#/$defs/`, `"#/components/schemas/`));
    for (const [id, definition] of Object.entries($defs)) {
      const component = toComponents(definition);
      if (components[id] && JSON.stringify(components[id]) !== JSON.stringify(component))
        throw new Error(`Two schemas of the API have the id ${id}.`);
      components[id] = component;
    }
    return toComponents(converted);
  };
}

/** Leaves out what a reader of the document doesn't need, and what would forbid us to add a field to a response. */
function simplify(schema: JsonSchema, io: "input" | "output"): void {
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

const problemSchema = z.object({
  type: z.literal("about:blank"),
  title: z.string(),
  status: z.int(),
  code: z
    .string()
    .meta({ enum: Object.keys(problems) })
    .describe("What programs may rely on."),
  detail: z.string().describe("What is wrong and what to do, in a sentence."),
  requestId: z.string().describe("Tells the operator which request it was."),
  errors: z
    .array(
      z.object({
        pointer: z.string().describe("A JSON pointer into the body (RFC 6901), or a parameter: ?limit"),
        message: z.string(),
      }),
    )
    .optional()
    .describe("The wrong fields."),
});

function describeOperation(operation: Operation, tag: string, toSchema: ToSchema): OpenApiOperation {
  const { id, summary, description, scope, method, body, file } = operation;
  const schema = body && toSchema(body, "input");
  // OpenAPI 3.1: a file has no type, and may have a length.
  const files = file?.mediaTypes.map((type) => [type, { schema: { maxLength: file.maxBytes } }]);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [description, `Scope: \`${scope}\`.`].filter(Boolean).join(" "),
    "x-scope": scope,
    parameters: [
      ...pathNames(operation.path).map((name) => ({
        name,
        in: "path" as const,
        required: true,
        schema: { type: "string" as const },
      })),
      ...queryParameters(operation, toSchema),
      ...headerNames(operation).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(schema && {
      requestBody: { required: (schema.required ?? []).length > 0, content: { "application/json": { schema } } },
    }),
    ...(files && { requestBody: { required: true, content: Object.fromEntries(files) } }),
    responses: { ...successResponses(operation, toSchema), ...problemResponses(operation, method) },
  };
}

function pathNames(path: string): string[] {
  return [...path.matchAll(/{(\w+)}/g)].map(([, name = ""]) => name);
}

function queryParameters({ query }: Operation, toSchema: ToSchema): OpenApiParameter[] {
  if (!query) return [];
  const { properties = {}, required = [] } = toSchema(query, "input");
  return Object.entries(properties).flatMap(([name, property]) => {
    if (typeof property === "boolean") return [];
    const { description, ...schema } = property;
    return [
      { name, in: "query" as const, required: required.includes(name), ...(description && { description }), schema },
    ];
  });
}

function headerNames({ method, isVersioned, isLive, problems: codes = [] }: Operation): (keyof typeof parameters)[] {
  if (method === "POST") return ["Idempotency-Key"];
  if (codes.includes("version_conflict")) return ["If-Match"];
  return method === "GET" && isVersioned && !isLive ? ["If-None-Match"] : [];
}

const parameters = {
  "Idempotency-Key": {
    name: "Idempotency-Key",
    in: "header",
    description:
      "A repeated request with the same key within 24 hours gets the first response and isn't carried out again.",
    schema: { type: "string", pattern: "^[!-~]{1,255}$" },
  },
  "If-Match": {
    name: "If-Match",
    in: "header",
    description:
      "The ETag that was read. If the resource has changed since, nothing is written and the response is a 412.",
    schema: { type: "string" },
  },
  "If-None-Match": {
    name: "If-None-Match",
    in: "header",
    description: "The ETag that was read. If the resource is unchanged, the response is a 304 without a body.",
    schema: { type: "string" },
  },
} as const satisfies Record<string, OpenApiParameter>;

const headers = {
  ETag: { description: "The version of the resource, in quotes.", schema: { type: "string" } },
  Link: { description: 'The next page, with rel="next". Missing on the last page.', schema: { type: "string" } },
  Location: { description: "The path of the created resource.", schema: { type: "string" } },
  RateLimit: { description: "How many requests are left (r) for how many seconds (t).", schema: { type: "string" } },
  "Retry-After": { description: "Seconds to wait.", schema: { type: "string" } },
} as const;

function toHeaders(names: readonly (keyof typeof headers)[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function successResponses(operation: Operation, toSchema: ToSchema): OpenApiOperation["responses"] {
  const { isVersioned, isLive, method, query, response } = operation;
  const { status, schema, mediaType = "application/json" } = response;
  const names = toHeaders([
    ...(isVersioned ? (["ETag"] as const) : []),
    ...(query && "cursor" in query.shape ? (["Link"] as const) : []),
    ...(status === 201 ? (["Location"] as const) : []),
    "RateLimit",
  ]);
  const isEmpty = status === 204 || (!schema && response.mediaType === undefined);
  const ofFile = mediaType.startsWith("text/") ? { type: "string" as const } : {};
  const content = { [mediaType]: { schema: schema ? toSchema(schema, "output") : ofFile } };
  return {
    [status]: { description: successTexts[status], headers: names, ...(!isEmpty && { content }) },
    ...(isVersioned &&
      !isLive &&
      method === "GET" && { 304: { description: "Unchanged", headers: toHeaders(["ETag"]) } }),
  };
}

const successTexts = { 200: "OK", 201: "Created", 202: "Accepted", 204: "Done" } as const;

/** Every operation may fail with the codes of the key; the others follow from what it takes. */
function problemResponses(operation: Operation, method: Operation["method"]): OpenApiOperation["responses"] {
  const { path, body, file, problems: declared = [] } = operation;
  const codes: ProblemCode[] = [
    "invalid_request",
    ...(body ? (["invalid_json"] as const) : []),
    ...(body || file ? (["too_large", "unsupported_media_type"] as const) : []),
    "key_in_url",
    "missing_key",
    "unknown_key",
    "revoked_key",
    "expired_key",
    "account_blocked",
    "missing_scope",
    ...declared,
    ...(path.includes("{") ? (["not_found"] as const) : []),
    ...(method === "POST" && !declared.includes("conflict") ? (["conflict"] as const) : []),
    ...(method === "POST" ? (["idempotency_mismatch"] as const) : []),
    "rate_limited",
    "unavailable",
  ];
  const byStatus = Object.groupBy(codes, (code) => problems[code].status);
  const content = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } };
  const responses = Object.entries(byStatus).map(([status, list]) => {
    const description = list.map((code) => `\`${code}\`: ${problems[code].title}.`).join(" ");
    const mayRetry = status === "429" || status === "503";
    return [status, { description, ...(mayRetry && { headers: toHeaders(["Retry-After"]) }), content }] as const;
  });
  return { ...Object.fromEntries(responses), default: { description: "Another problem.", content } };
}
