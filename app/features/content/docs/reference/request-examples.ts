import type { JsonSchema, OpenApiOperation, OpenApiParameter } from "#app/services/api/openapi-schema.ts";

export type RequestExamples = { curl: string; javascript: string };

type Request = { method: string; url: string; operation: OpenApiOperation };

/**
 * The request of an operation as a shell command and in JavaScript. The key is `$MEISHI_KEY` or `key`; a parameter of the path is a variable:
 * "{linkId}" is `$LINK_ID` or `linkId`. A file is `image.jpeg` or the Blob `file`. A test runs both.
 */
export function writeExamples({ method, url, operation }: Request): RequestExamples {
  const address = url + requiredQuery(operation);
  const body = exampleBody(operation);
  const inShell = address.replaceAll(/{(\w+)}/g, (_, name: string) => `$${shellName(name)}`);
  const headers = ["Authorization: `Bearer ${key}`", ...(body ? [`"Content-Type": "${body.type}"`] : [])];
  return {
    curl: [
      `curl${method === "GET" ? "" : ` -X ${method}`} "${inShell}"`,
      `-H "Authorization: Bearer $MEISHI_KEY"`,
      ...(body ? [`-H "Content-Type: ${body.type}"`, body.curl] : []),
    ].join(" \\\n  "),
    javascript: [
      `const response = await fetch(\`${address.replaceAll("{", "${")}\`, {`,
      ...(method === "GET" ? [] : [`  method: "${method}",`]),
      `  headers: { ${headers.join(", ")} },`,
      ...(body ? [`  body: ${body.javascript},`] : []),
      "});",
      ...(returnsJson(operation) ? ["const result = await response.json();"] : []),
    ].join("\n"),
  };
}

/** "linkId" -> "LINK_ID" */
export function shellName(name: string): string {
  return name.replaceAll(/[A-Z]/g, "_$&").toUpperCase();
}

function exampleBody({ requestBody }: OpenApiOperation): (RequestExamples & { type: string }) | undefined {
  const [first] = Object.entries(requestBody?.content ?? {});
  if (!first) return undefined;
  const [type, { schema }] = first;
  if (type !== "application/json")
    return { type, curl: `--data-binary @${type.replace("/", ".")}`, javascript: "file" };
  const json = JSON.stringify(exampleOf(schema));
  return { type, curl: `-d '${json.replaceAll("'", `'\\''`)}'`, javascript: `JSON.stringify(${json})` };
}

function requiredQuery({ parameters }: OpenApiOperation): string {
  const isRequired = (one: object): one is OpenApiParameter =>
    "in" in one && one.in === "query" && "required" in one && one.required === true;
  const pairs = parameters.filter(isRequired).map(({ name, schema }) => [name, String(exampleOf(schema))]);
  return pairs.length > 0 ? `?${new URLSearchParams(pairs).toString()}` : "";
}

function returnsJson({ responses }: OpenApiOperation): boolean {
  return Object.entries(responses).some(
    ([status, { content = {} }]) => status.startsWith("2") && "application/json" in content,
  );
}

/** The example in the schema, else the first allowed value, else one of the required fields. */
function exampleOf(schema: JsonSchema): unknown {
  const { examples, default: usual, enum: allowed, type, properties = {}, required = [] } = schema;
  const [example = usual ?? allowed?.[0]] = Array.isArray(examples) ? examples : [];
  if (example !== undefined) return example;
  if (type === "array") return [];
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return schema.minimum ?? 1;
  if (type !== "object") return "text";
  return Object.fromEntries(
    required.flatMap((name) => {
      const field = properties[name];
      return typeof field === "object" ? [[name, exampleOf(field)]] : [];
    }),
  );
}
