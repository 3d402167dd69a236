import { AuthClient } from "@supabase/auth-js";
import { PostgrestClient } from "@supabase/postgrest-js";
import { RealtimeClient } from "@supabase/realtime-js";
import { StorageClient } from "@supabase/storage-js";
import { expect, test } from "vitest";

import { clientKey } from "#app/services/client-api/client-route.server.ts";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

import { openRealtimeApp } from "./realtime-client.ts";

test("each part of the client works by itself", async () => {
  const { app, services, ada, adaId, port } = await openRealtimeApp();
  const send: typeof fetch = async (input, init) => app.request(new Request(input, init));
  const [base, apikey] = [services.config.baseUrl, clientKey(services)];
  const auth = new AuthClient({
    url: `${base}/auth/v1`,
    headers: { apikey },
    fetch: send,
    persistSession: false,
    autoRefreshToken: false,
  });
  const { data } = await auth.signInWithPassword({ email: ada.email, password: ada.password });
  const token = data.session?.access_token ?? "";
  const headers = { apikey, authorization: `Bearer ${token}` };

  const rest = new PostgrestClient(`${base}/rest/v1`, { headers, fetch: send });
  const card = await rest.from("business_cards").insert({ card_name: "By itself" }).select().single();
  expect([card.error, card.data]).toMatchObject([null, { card_name: "By itself", user_id: adaId }]);

  const storage = new StorageClient(`${base}/storage/v1`, headers, send);
  expect(await storage.from("avatars").list(adaId)).toEqual({ data: [], error: null });

  const realtime = new RealtimeClient(`ws://127.0.0.1:${port}/realtime/v1`, { params: { apikey }, timeout: 300_000 });
  cleanUpAfterTest(() => void realtime.disconnect());
  await realtime.setAuth(token);
  const changes: string[] = [];
  const joined = new Promise((resolve) => {
    realtime
      .channel("cards")
      .on("postgres_changes", { event: "*", schema: "public" }, ({ eventType }) => void changes.push(eventType))
      .subscribe(resolve);
  });
  expect(await joined).toBe("SUBSCRIBED");
  await rest.from("business_cards").delete().eq("user_id", adaId);
  await expect.poll(() => changes).toEqual(["DELETE"]);
});
