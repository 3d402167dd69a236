import type { OpenApiDocument, OpenApiOperation } from "#app/services/api/openapi-schema.ts";
import { problems } from "#app/services/api/problem.ts";

import { describeField, listFields, typeText } from "./field-facts.ts";
import type { FieldFacts } from "./field-facts.ts";
import { writeExamples } from "./request-examples.ts";
import type { RequestExamples } from "./request-examples.ts";

/** What the reference shows, all of it from the OpenAPI document. */
export type ReferenceFacts = {
  /** With `/api/v1`. */
  baseUrl: string;
  resources: { id: string; title: string; description: string; operations: OperationFacts[] }[];
  /** Schemas that operations refer to by name. */
  objects: { name: string; fields: FieldFacts[] }[];
  problems: { code: string; status: number; title: string }[];
};

export type OperationFacts = {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  fields: FieldFacts[];
  /** "201: Card" */
  response: string;
  examples: RequestExamples;
};

export function referenceFacts({ paths, tags, servers, components }: OpenApiDocument): ReferenceFacts {
  const baseUrl = servers[0]?.url ?? "";
  const operations = Object.entries(paths).flatMap(([path, ofPath]) =>
    Object.entries(ofPath).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return {
    baseUrl,
    resources: tags.map(({ name, description }) => ({
      id: name.toLowerCase().replaceAll(/\W+/g, "-"),
      title: name,
      description,
      operations: operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ path, method, operation }) => ({
          id: operation.operationId,
          method,
          path,
          summary: operation.summary,
          description: operation.description.replaceAll("`", ""),
          fields: fieldsOf(operation),
          response: responseText(operation),
          examples: writeExamples({ method, url: baseUrl + path, operation }),
        })),
    })),
    objects: Object.entries(components.schemas).map(([name, schema]) => ({ name, fields: listFields(schema) })),
    problems: Object.entries(problems).map(([code, { status, title }]) => ({ code, status, title })),
  };
}

function fieldsOf({ parameters, requestBody }: OpenApiOperation): FieldFacts[] {
  const ofQuery = parameters.flatMap((parameter) => {
    if (!("in" in parameter) || parameter.in !== "query") return [];
    const { name, required = false, description = "", schema } = parameter;
    return describeField(`?${name}`, { ...schema, description }, required);
  });
  const body = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => listFields(schema));
  return [...ofQuery, ...body];
}

function responseText({ responses }: OpenApiOperation): string {
  const [status = "", response] = Object.entries(responses).find(([code]) => code.startsWith("2")) ?? [];
  const [[mediaType, { schema }] = ["", { schema: undefined }]] = Object.entries(response?.content ?? {});
  if (!schema) return `${status}, without a body`;
  return mediaType === "application/json" ? `${status} with ${typeText(schema)}` : `${status} with ${mediaType}`;
}
