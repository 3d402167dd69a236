import Ajv2020 from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";

import type { Operation } from "#app/services/api/resource.ts";
import { makePremium } from "#tests/support/app/profiles.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import { jpeg, pdf, plainImage } from "#tests/support/app/uploads.ts";
import { insertLead } from "#tests/support/database/leads.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { features } from "#server/features.ts";

import { createApiApp } from "./api-app.ts";

const operations = features.flatMap(({ resources = [] }) => resources).flatMap((resource) => resource.operations);
const requests = Number(process.env["RANDOM_REQUESTS"] ?? 3_000);

const problem = z.object({
  type: z.literal("about:blank"),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string(),
  requestId: z.string(),
  errors: z.array(z.object({ pointer: z.string(), message: z.string() })).optional(),
});

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "",
    "\0",
    "\ud800",
    "a".repeat(11_000),
    "__proto__",
    "https://ada.example",
    "ada@example.com",
    "2026-11-27T10:00:00Z",
  ),
);
const junk = fc.oneof(
  text,
  fc.anything({ maxDepth: 3, withNullPrototype: false }).filter((value) => JSON.stringify(value) !== undefined),
  fc.constantFrom(null, -1, 1e300, 0, 7, true, [], {}, [{}], [[]]),
);

type JsonSchema = {
  type?: string;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
};

/** Mostly what the schema allows, sometimes anything. */
function valueOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: allowedBy(schema), weight: 12 }, { arbitrary: junk, weight: 1 });
}

function allowedBy({ type, enum: choices, anyOf, items, properties }: JsonSchema): fc.Arbitrary<unknown> {
  if (choices) return fc.constantFrom(...choices);
  if (anyOf) return fc.oneof(...anyOf.map(valueOf));
  switch (type) {
    case "object":
      // Few fields, so that some requests are right in all of them.
      return fc
        .uniqueArray(fc.constantFrom(...Object.entries(properties ?? { none: {} })), { maxLength: 3 })
        .chain((some) => fc.record(Object.fromEntries(some.map(([name, one]) => [name, valueOf(one)]))));
    case "array":
      return fc.array(valueOf(items ?? {}), { maxLength: 4 });
    case "boolean":
      return fc.boolean();
    case "integer":
    case "number":
      return fc.oneof(fc.integer(), fc.double());
    case "null":
      return fc.constant(null);
    default:
      return text;
  }
}

const jsonSchemaOf = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;

/** "/cards/{id}" -> "cards" */
function resourceOf({ path }: Operation): string {
  return path.split("/")[1] ?? "";
}

async function shareLeads(services: TestApp["services"], ownerId: string): Promise<string[]> {
  const ids = Array.from({ length: 20 }, (_, n) => `lead-${n}`);
  for (const id of ids) await insertLead(services, { id, ownerId, now: services.clock(), lead: { name: id } });
  return ids;
}

/** Files of all kinds, some of them cut off. */
const files = [await jpeg(), await plainImage(30, 20).png().toBuffer(), pdf(), Buffer.from("text")];
const file = fc.oneof(
  fc.constantFrom(...files),
  fc.tuple(fc.constantFrom(...files), fc.nat(300)).map(([bytes, end]) => bytes.subarray(0, end)),
  fc.uint8Array({ maxLength: 100 }),
);

/** A call of an operation: some of them sensible, so that there is something to change and to delete. */
function callOf(operation: Operation, ids: readonly string[]) {
  const id = fc.oneof(
    { arbitrary: fc.constantFrom("unknown", "%00", "..", ...ids), weight: 3 },
    text.map((one) => encodeURIComponent(one.toWellFormed())),
  );
  const header = fc.oneof(fc.constantFrom(undefined, '"1"', '"2"', "*"), fc.string({ maxLength: 20 }));
  return fc.record({
    path: fc.array(id, { minLength: 2, maxLength: 2 }).map((some) => {
      let at = 0;
      return operation.path.replaceAll(/{\w+}/g, () => some[at++] ?? "");
    }),
    query: operation.query ? valueOf(jsonSchemaOf(operation.query)) : fc.constant({}),
    body: operation.body ? valueOf(jsonSchemaOf(operation.body)) : fc.constant(undefined),
    file: operation.file ? file.map((bytes) => new Blob([new Uint8Array(bytes)])) : fc.constant(undefined),
    headers: fc.record({
      // Few files are accepted as it is, and none with an Idempotency-Key.
      "if-match": operation.file ? fc.constantFrom(undefined, undefined, '"1"') : header,
      "idempotency-key": operation.file ? fc.constant(undefined) : header,
      "content-type": fc.constantFrom(...(operation.file?.mediaTypes ?? []), "application/json"),
    }),
  });
}

test.each(listEngines())(
  "random requests are answered as declared or with a problem document, on %s",
  async (engine) => {
    const { databaseUrl } = await makeDatabase(engine);
    let now = Date.now();
    const env: Record<string, string> = databaseUrl ? { DATABASE_URL: databaseUrl } : {};
    // 600 requests a minute are allowed.
    const { call, services, ownerId } = await createApiApp({ clock: () => (now += 150), env });
    await makePremium(services, ownerId);
    /** By resource. */
    const ids = new Map([
      ["leads", await shareLeads(services, ownerId)],
      ["files", ["avatar", "banner", "resume", "picture:p", "pass-logo:l", "pass-background:b", "logo:unknown"]],
    ]);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const validators = new Map(
      operations.map(({ id, response }) => [
        id,
        response.schema && ajv.compile(z.toJSONSchema(response.schema, { io: "output", unrepresentable: "any" })),
      ]),
    );
    const statuses = new Set<string>();
    let seed = 1;
    for (let sent = 0; sent < requests; sent++) {
      const operation = operations[sent % operations.length];
      if (!operation) throw new Error("There are no operations.");
      const [one] = fc.sample(callOf(operation, ids.get(resourceOf(operation))?.slice(-20) ?? []), {
        numRuns: 1,
        seed: seed++,
      });
      if (!one) continue;
      const search = new URLSearchParams(
        Object.entries(one.query ?? {}).map(([name, value]) => [
          name,
          typeof value === "string" ? value : JSON.stringify(value),
        ]),
      ).toString();
      const headers = Object.fromEntries(
        Object.entries(one.headers).flatMap(([name, value]) =>
          value && /^[\x20-\x7e]+$/.test(value) ? [[name, value]] : [],
        ),
      );
      const answer = await call(`${operation.method} ${one.path.replaceAll(" ", "%20")}${search ? `?${search}` : ""}`, {
        headers,
        ...(one.body !== undefined && { body: JSON.stringify(one.body) }),
        ...(one.file && { body: one.file }),
      });
      const about = `${operation.id}, seed ${seed - 1}: ${answer.status} ${answer.text.slice(0, 300)}`;
      expect(answer.status, about).toBeLessThan(500);
      statuses.add(`${operation.id} ${answer.status < 400 ? "ok" : "refused"}`);
      if (answer.status >= 400) expect(problem.safeParse(answer.body).error, about).toBeUndefined();
      else if (answer.status !== 304 && answer.body !== undefined) {
        const validate = validators.get(operation.id);
        expect(validate?.(answer.body) ? [] : validate?.errors, about).toEqual([]);
        const created = z.object({ id: z.string() }).safeParse(answer.body);
        if (operation.method === "POST" && created.success) {
          const known = ids.get(resourceOf(operation)) ?? [];
          ids.set(resourceOf(operation), [...known, created.data.id]);
        }
      }
    }
    // Otherwise the requests would only test the refusals.
    const accepted = operations.filter(({ id }) => statuses.has(`${id} ok`));
    expect(accepted.length).toBeGreaterThan(operations.length * 0.75);
  },
);
