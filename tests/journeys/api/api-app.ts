import { addKey } from "#app/services/api/key-data.server.ts";
import { scopes as allScopes } from "#app/services/api/resource.ts";
import type { Scope } from "#app/services/api/resource.ts";
import { transact } from "#app/services/database/database.server.ts";

import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";

type Send = { key?: string | undefined; body?: unknown; headers?: Record<string, string> };

/** Sends a call as a program does, without cookie and Origin: "GET /cards". A string, a Blob or a stream is sent as it is, other bodies as JSON. */
export async function callApi({ app }: Pick<TestApp, "app">, call: string, { key, body, headers = {} }: Send = {}) {
  const [method = "GET", path = ""] = call.split(" ");
  const isRaw = typeof body === "string" || body instanceof Blob || body instanceof ReadableStream;
  const response = await app.request(
    `http://localhost:3000${path.startsWith("//") ? path.slice(1) : `/api/v1${path}`}`,
    {
      method,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body), duplex: "half" }),
    },
  );
  const text = await response.text();
  const isJson = text !== "" && /json/.test(response.headers.get("content-type") ?? "");
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

/** A key of a signed-in user, written into the database. */
export async function giveKey(
  { services }: Pick<TestApp, "services">,
  person: Pick<Visitor, "get">,
  { scopes = allScopes, expiresAt = null }: { scopes?: readonly Scope[]; expiresAt?: number | null } = {},
) {
  const ownerId = await userIdOf(person);
  const now = services.clock();
  const added = await transact(services.db, (trx) => addKey(trx, { ownerId, name: "Test", scopes, expiresAt, now }));
  return { ...added, ownerId };
}

/** The product with Ada, who has a key with all scopes. `call` sends a request with it. */
export async function createApiApp(options: Parameters<typeof createTestApp>[0] = {}) {
  const product = await createTestApp(options);
  const ada = await product.signedIn();
  const { key, id: keyId, ownerId } = await giveKey(product, ada);
  return {
    ...product,
    ada,
    key,
    keyId,
    ownerId,
    call: (call: string, send?: Send) => callApi(product, call, { key, ...send }),
  };
}
