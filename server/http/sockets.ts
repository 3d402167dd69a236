import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";

import type { Feature, Socket } from "#app/services/features/feature.ts";
import type { Services } from "#app/services/http/context.ts";

import { newRequestId } from "../log.ts";
import { createAddressReader } from "../security.ts";

/** Opens the features' WebSocket connections. `close` ends them all, and accepts no new ones. */
export function openSockets(features: readonly Feature[], services: Services) {
  const { config, log } = services;
  const server = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false });
  const routes = new Map(
    features.flatMap(({ sockets = [] }) => sockets.map(({ path, open }) => [path, open(services)] as const)),
  );
  const addressOf = createAddressReader(config.trustedProxy);
  let isClosed = false;

  function find(request: IncomingMessage) {
    const url = URL.parse(request.url ?? "", config.baseUrl);
    const route = url ? routes.get(url.pathname) : undefined;
    return url && route?.accepts(url) && !isClosed ? { route, url } : undefined;
  }

  function upgrade(request: IncomingMessage, connection: Duplex, head: Buffer) {
    const found = find(request);
    if (!found) return;
    const { route, url } = found;
    const forwardedFor = request.headers["x-forwarded-for"];
    const address = addressOf(request.socket.remoteAddress ?? "", forwardedFor?.toString() ?? null);
    server.handleUpgrade(request, connection, head, (socket) => {
      // Not the query, which has the key.
      log.info({ id: newRequestId(), method: "GET", path: url.pathname, status: 101 });
      const reader = route.connect(socketOf(socket), { url, address });
      socket.on("message", (message, isBinary) => {
        if (Buffer.isBuffer(message)) reader.receive(isBinary ? message : message.toString());
      });
      socket.on("close", () => reader.closed());
      // It is closed after an error, with the code that RFC 6455 requires.
      socket.on("error", () => undefined);
    });
  }

  function close() {
    isClosed = true;
    for (const socket of server.clients) socket.close(1001, "The server is about to stop.");
    // Those whose clients don't answer would keep the process from stopping.
    setTimeout(() => server.clients.forEach((socket) => socket.terminate()), terminateAfterMs).unref();
  }

  return { accepts: (request: IncomingMessage) => find(request) !== undefined, upgrade, close };
}

function socketOf(socket: WebSocket): Socket {
  return {
    send: (text) => (socket.bufferedAmount > maxWaitingBytes ? socket.terminate() : socket.send(text)),
    close: (code, reason) => socket.close(code, reason),
  };
}

const maxMessageBytes = 64_000;
/** More than all rows of an account take. */
const maxWaitingBytes = 2_000_000;
/** Shorter than closeConnectionsAfterMs. */
const terminateAfterMs = 5_000;
