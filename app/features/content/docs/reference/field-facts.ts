import type { JsonSchema } from "#app/services/api/openapi-schema.ts";

/** A field or parameter: "address.city", "string or null, at most 100 characters", and what it is. */
export type FieldFacts = { name: string; type: string; about: string };

/** The fields of an object, with those of its parts: "links[].url". */
export function listFields(schema: JsonSchema, prefix = ""): FieldFacts[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (typeof field === "boolean") return [];
    return describeField(prefix + name, field, schema.required?.includes(name) ?? false);
  });
}

/** A field, and those of its parts. */
export function describeField(name: string, schema: JsonSchema, isRequired: boolean): FieldFacts[] {
  const item = itemOf(schema);
  const about = [isRequired && "Required.", schema.description?.replaceAll("`", "")].filter(Boolean).join(" ");
  return [
    { name, type: typeText(schema), about },
    ...listFields(schema, `${name}.`),
    ...(item ? listFields(item, `${name}[].`) : []),
  ];
}

function itemOf({ items }: JsonSchema): JsonSchema | undefined {
  return typeof items === "object" && !Array.isArray(items) ? items : undefined;
}

/** "string, at most 100 characters", "list of Card", "integer from 1 to 100, by default 50" */
export function typeText(schema: JsonSchema): string {
  const limits = [
    schema.maxLength !== undefined && `at most ${schema.maxLength} characters`,
    schema.maxItems !== undefined && `at most ${schema.maxItems} items`,
    schema.default !== undefined && `by default ${JSON.stringify(schema.default)}`,
  ].filter((text) => text !== false);
  return [baseText(schema) + rangeText(schema), ...limits].join(", ");
}

function baseText(schema: JsonSchema): string {
  const { $ref, anyOf, type, format } = schema;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf("/") + 1);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (anyOf) return anyOf.map((option) => (typeof option === "object" ? typeText(option) : "any value")).join(" or ");
  const item = itemOf(schema);
  if (item) return `list of ${item.properties ? "objects" : typeText(item)}`;
  const names = Array.isArray(type) ? type.join(" or ") : (type ?? "any value");
  return format === undefined ? names : `${names} (${format})`;
}

function rangeText({ minimum, maximum }: JsonSchema): string {
  if (minimum === undefined) return maximum === undefined ? "" : ` up to ${maximum}`;
  return maximum === undefined ? ` from ${minimum}` : ` from ${minimum} to ${maximum}`;
}
