import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, Server } from "node:http";

/**
 * A server that slow clients can't hold for ever: the headers of a request have a quarter of a minute, the whole of it half a
 * minute, and three minutes when it brings a file (5 MB over a slow phone); then its connection ends. It ends as well when a
 * minute long nothing of an answer is taken. All in milliseconds.
 */
export function createHttpServer(
  listener: RequestListener,
  { headersTimeout = 15_000, requestTimeout = 30_000, uploadTimeout = 180_000, idleTimeout = 60_000 } = {},
): Server {
  // Node looks at all connections from time to time; if it is not told otherwise only twice a minute, and so up to that much too late.
  const connectionsCheckingInterval = Math.min(2_000, headersTimeout);
  const options = { headersTimeout, requestTimeout: uploadTimeout, connectionsCheckingInterval };
  return createServer(options, (request, response) => {
    if (hasBody(request) && !bringsFile.test(request.url ?? "")) endAfter(request, requestTimeout);
    listener(request, response);
  }).setTimeout(idleTimeout);
}

/** As it is written: "/uploads/../profile" is another address. */
const bringsFile = /^\/uploads\/[\w-]+(?:\/remove)?(?:\?|$)/;

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Node's own limit is one for all requests. */
function endAfter(request: IncomingMessage, timeout: number) {
  const timer = setTimeout(() => {
    if (!request.complete) request.destroy();
  }, timeout);
  request.once("close", () => clearTimeout(timer));
}
