import { once } from "node:events";
import { request } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";

import { getRequestListener } from "@hono/node-server";

import type { Services } from "#app/services/http/context.ts";
import { createApp, openPageCache } from "#server/app.ts";
import { features } from "#server/features.ts";
import { createHttpServer } from "#server/http/http-server.ts";
import { createPageListener } from "#server/public-pages/page-listener.ts";
import { createAddressReader, createHeaderCheck } from "#server/security.ts";
import { openSockets } from "#server/http/sockets.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { listenAnywhere } from "#tests/support/program/free-port.ts";

type RawResponse = { status: number; headers: IncomingHttpHeaders; body: Buffer };

const browser = "Mozilla/5.0 (iPhone) Safari/604.1";

/** The app behind a real port, as in main.ts, with its own page cache. `direct` lists the responses of the raw listener. */
export async function listen(services: Services) {
  const pages = openPageCache(services);
  const app = await createApp(services, { pages });
  const direct: string[] = [];
  const logHit = (hit: { path: string; status: number }) => direct.push(`${hit.status} ${hit.path}`);
  const servePage = createPageListener(pages, {
    counter: services.counter,
    logHit,
    addressOf: createAddressReader(services.config.trustedProxy),
    madeUpHeader: createHeaderCheck(services.config),
  });
  const respond = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const sockets = openSockets(features, services);
  const server = createHttpServer(
    (incoming, outgoing) => {
      servePage(incoming, outgoing, () => void respond(incoming, outgoing));
    },
    { sockets },
  );
  const port = await listenAnywhere(server);
  cleanUpAfterTest(() => {
    sockets.close();
    server.close();
  });
  const send = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    sendToPort(port, { path, method, headers: { host: "localhost:3000", "user-agent": browser, ...headers } });
  return { app, pages, direct, port, send };
}

/** Returns the bytes of the body, which fetch would decompress. */
async function sendToPort(
  port: number,
  options: { path: string; method: string; headers: Record<string, string> },
): Promise<RawResponse> {
  const sent = request({ port, host: "127.0.0.1", agent: false, ...options }).end();
  const [incoming] = await once(sent, "response");
  return { status: incoming.statusCode, headers: incoming.headers, body: await buffer(incoming) };
}
