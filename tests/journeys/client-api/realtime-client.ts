import { createClient } from "@supabase/supabase-js";
import type { RealtimeChannel, SupabaseClient } from "@supabase/supabase-js";

import { clientKey } from "#app/services/client-api/client-route.server.ts";
import type { Viewer } from "#app/services/auth/sessions/viewer.server.ts";
import { transact } from "#app/services/database/database.server.ts";

import type { Services } from "#app/services/http/context.ts";
import { listen } from "#tests/support/app/listening-app.ts";
import { userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

type RealtimeOptions = { vsn?: string; token?: string | null };

/** The product on a port, with Ada and Bob; `connect` opens the published client with the session of an app. */
export async function openRealtimeApp() {
  const product = await createTestApp();
  const { services } = product;
  const { port, send } = await listen(services);
  const [ada, bob] = [await product.signedIn(), await product.signedIn("bob@example.com")];
  const [adaId, bobId] = [await userIdOf(ada), await userIdOf(bob)];

  const signIn = ({ userId = adaId, isFull = true } = {}) =>
    transact(services.db, (trx) =>
      services.auth.startAppSession(trx, { userId, method: "password", isFull, browser: "App", verifiedAt: 0 }),
    );

  async function connect({ vsn = "2.0.0", token }: RealtimeOptions = {}) {
    let current = token === undefined ? (await signIn()).accessToken : token;
    const client = createClient(`http://127.0.0.1:${port}`, clientKey(services), {
      accessToken: async () => current,
      // The machine may be slow.
      realtime: { vsn, timeout: 300_000 },
    });
    cleanUpAfterTest(() => void client.realtime.disconnect());
    const setToken = (next: string | null) => {
      current = next;
      return client.realtime.setAuth();
    };
    await client.realtime.setAuth();
    return { client, setToken };
  }

  /** A connection without the client: `messages` are those that it got. */
  async function openSocket() {
    const url = `ws://127.0.0.1:${port}/realtime/v1/websocket?vsn=2.0.0&apikey=${clientKey(services)}`;
    const socket = new WebSocket(url);
    cleanUpAfterTest(() => socket.close());
    const messages: unknown[] = [];
    socket.addEventListener("message", ({ data }) => messages.push(JSON.parse(String(data))));
    const closed = new Promise((resolve) => {
      socket.addEventListener("close", ({ code, reason }) => resolve({ code, reason }));
    });
    await new Promise((resolve) => socket.addEventListener("open", resolve));
    return { send: (data: string | Buffer<ArrayBuffer>) => socket.send(data), messages, closed };
  }

  return { ...product, ada, bob, adaId, bobId, port, send, signIn, connect, openSocket };
}

export async function viewerOf({ auth }: Services, accessToken: string): Promise<Viewer> {
  const session = await auth.findAppSession(accessToken);
  if (typeof session === "string") throw new Error(session);
  return session.viewer;
}

export type Filter = { event: "*"; schema: string; table?: string; filter?: string; select?: string[] };

/** Subscribes a channel; `statuses` has an error's text after its status. */
export function follow(client: SupabaseClient, filter: Partial<Filter> = {}, name = "changes") {
  const statuses: string[] = [];
  const changes: Record<string, unknown>[] = [];
  const channel = client.channel(name);
  channel.on("postgres_changes", { event: "*", schema: "public", ...filter }, ({ commit_timestamp, ...change }) => {
    if (Number.isNaN(Date.parse(commit_timestamp))) throw new Error("no time");
    changes.push(change);
  });
  return { channel: watch(channel, statuses), statuses, changes };
}

/** Subscribes a channel, and lists what becomes of it. */
export function watch(channel: RealtimeChannel, statuses: string[]): RealtimeChannel {
  return channel.subscribe((status, error) => void statuses.push(error ? `${status}: ${error.message}` : status));
}
