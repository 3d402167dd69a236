import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";

/**
 * A server that slow clients can't hold for ever: the headers of a request have a quarter of a minute, the whole of it half a
 * minute; then it is answered with 408 and its connection ends. It ends as well when a minute long nothing of an answer is
 * taken. All in milliseconds.
 */
export function createHttpServer(
  listener: RequestListener,
  { headersTimeout = 15_000, requestTimeout = 30_000, idleTimeout = 60_000 } = {},
): Server {
  // Node looks at all connections from time to time; if it is not told otherwise only twice a minute, and so up to that much too late.
  const connectionsCheckingInterval = Math.min(2_000, headersTimeout);
  return createServer({ headersTimeout, requestTimeout, connectionsCheckingInterval }, listener).setTimeout(
    idleTimeout,
  );
}
