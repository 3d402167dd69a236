import { createClient } from "@supabase/supabase-js";

import { clientKey } from "#app/services/client-api/client-route.server.ts";

import { createTestApp } from "#tests/support/app/test-app.ts";
import type { TestApp } from "#tests/support/app/test-app.ts";

/**
 * The published client of the specification's backend (supabase-js) against the product. Each has its own session, which it stores in
 * memory. `requests` are those that it sent.
 */
export function openClient({ app, services }: Pick<TestApp, "app" | "services">, options: ClientOptions = {}) {
  const requests: string[] = [];
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    requests.push(`${request.method} ${request.url.slice(services.config.baseUrl.length)}`);
    return app.request(request);
  };
  const client = createClient(services.config.baseUrl, clientKey(services), {
    global: { fetch: send },
    auth: { autoRefreshToken: false, detectSessionInUrl: false, persistSession: false, ...options },
  });
  return { client, requests };
}

type ClientOptions = NonNullable<NonNullable<Parameters<typeof createClient>[2]>["auth"]>;

/** The product with Ada, who is signed in in a browser and, with the same account, in an app. */
export async function createClientApp(options: Parameters<typeof createTestApp>[0] = {}) {
  return signInClient(await createTestApp(options));
}

/** The same for a product that has started. */
export async function signInClient<Product extends TestApp>(product: Product) {
  const ada = await product.signedIn();
  const { client, requests } = openClient(product);
  const { data, error } = await client.auth.signInWithPassword({ email: ada.email, password: ada.password });
  if (error) throw error;
  return { ...product, ada, client, requests, userId: data.user.id, session: data.session };
}
