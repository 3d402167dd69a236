import { clientKey } from "#app/services/client-api/client-route.server.ts";

import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";

import { openClient, signInClient } from "./client-app.ts";

/** The product with Ada in a browser, and the published client with a session of hers and without one. */
export async function createDataApp(options: Parameters<typeof createTestApp>[0] = {}) {
  return openDataApp(await createTestApp(options));
}

export async function openDataApp(product: TestApp) {
  const signedIn = await signInClient(product);
  const { userId: adaId, session } = signedIn;
  return { ...signedIn, adaId, token: session.access_token, anonymous: openClient(product).client };
}

/** A request as the client sends it, for what the client itself never sends: "GET /profiles?select=*". */
export async function callData(
  { app, services }: Pick<TestApp, "app" | "services">,
  call: string,
  { token, body, headers = {} }: { token?: string | undefined; body?: unknown; headers?: Record<string, string> } = {},
) {
  const [method = "GET", path = ""] = call.split(" ");
  const key = clientKey(services);
  const response = await app.request(`${services.config.baseUrl}/rest/v1${path}`, {
    method,
    headers: { apikey: key, authorization: `Bearer ${token ?? key}`, "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : (JSON.parse(text) as unknown),
  };
}
