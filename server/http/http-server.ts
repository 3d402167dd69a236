import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import type { Duplex } from "node:stream";

import type { Logger } from "pino";

type HttpServerOptions = {
  /** Requests that it doesn't accept stay requests. */
  sockets?: {
    accepts: (request: IncomingMessage) => boolean;
    upgrade: (request: IncomingMessage, connection: Duplex, head: Buffer) => void;
  };
  /** Whether the body of a request may take `uploadTimeout` instead of `requestTimeout`. */
  isSlow?: (method: string, url: string) => boolean;
  headersTimeout?: number;
  requestTimeout?: number;
  uploadTimeout?: number;
  idleTimeout?: number;
};

/**
 * A server that slow clients can't hold up. A connection ends when its headers take longer than 15 seconds, its request longer than 30
 * seconds (180 for an upload: 5 MB over a slow phone), or when the client reads nothing for 60 seconds. Between two requests it stays open
 * for 75 seconds; the time for headers starts with their first byte. Times in milliseconds.
 */
export function createHttpServer(
  listener: RequestListener,
  {
    sockets = { accepts: () => false, upgrade: (_, connection) => void connection.destroy() },
    isSlow = () => false,
    headersTimeout = 15_000,
    requestTimeout = 30_000,
    uploadTimeout = 180_000,
    idleTimeout = 60_000,
  }: HttpServerOptions = {},
): Server {
  // How late Node may notice a timeout; 30 seconds by default.
  const connectionsCheckingInterval = Math.min(2_000, headersTimeout);
  const timeouts = { headersTimeout, requestTimeout: uploadTimeout, connectionsCheckingInterval, keepAliveTimeout };
  const server = createServer({ ...timeouts, shouldUpgradeCallback: sockets.accepts }, (request, response) => {
    const { method = "", url = "" } = request;
    if (hasBody(request) && !isSlow(method, url)) destroyAfter(request, requestTimeout);
    // After a request with Upgrade, Node parses no further request on its connection.
    if (request.headers.upgrade !== undefined || hasUpgradeOption(request)) response.shouldKeepAlive = false;
    listener(request, response);
  });
  return server.on("upgrade", sockets.upgrade).setTimeout(idleTimeout);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function hasUpgradeOption({ headers }: IncomingMessage): boolean {
  return headers.connection !== undefined && /\bupgrade\b/i.test(headers.connection);
}

/**
 * Longer than the 60 seconds of nginx and load balancers. A proxy that still considers a connection open may send a request on it while it
 * is being closed, and can't repeat a POST: its client gets a 502.
 */
const keepAliveTimeout = 75_000;

/** Node has one `requestTimeout` for all requests. */
function destroyAfter(request: IncomingMessage, timeout: number) {
  const timer = setTimeout(() => {
    if (!request.complete) request.destroy();
  }, timeout);
  request.once("close", () => clearTimeout(timer));
}

/** The process ends within 10 seconds of a signal, on a slow machine too. */
export const closeConnectionsAfterMs = 8_000;
export const exitAfterMs = 9_000;

type StopSteps = {
  /** Ends responses that would never end. */
  endStreams: () => void;
  close: () => Promise<void>;
};

/** On SIGTERM or SIGINT: accepts no more requests, finishes running ones, calls `close` and exits with 0. */
export function stopOnSignal(server: Server, log: Logger, { endStreams, close }: StopSteps) {
  let isStopping = false;

  async function stop(signal: string) {
    if (isStopping) return;
    isStopping = true;
    log.info(`${signal}: finishing open requests`);
    setTimeout(() => {
      // A mail that a silent server holds up is sent after the next start.
      log.warn("unfinished work will continue after the next start");
      process.exit(0);
    }, exitAfterMs).unref();
    // Browsers keep a connection open after their last response.
    const sweep = setInterval(() => server.closeIdleConnections(), 100);
    const cut = setTimeout(() => server.closeAllConnections(), closeConnectionsAfterMs);
    await new Promise((resolve) => {
      server.close(resolve);
      endStreams();
      server.closeIdleConnections();
    });
    clearInterval(sweep);
    clearTimeout(cut);
    await close();
    process.exit(0);
  }

  process.on("SIGTERM", (signal) => void stop(signal));
  process.on("SIGINT", (signal) => void stop(signal));
}
