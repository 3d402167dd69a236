import { request as requestHttp } from "node:http";
import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";

import { findPublicAddresses, pinLookup, resolveWithSystem } from "./public-address.server.ts";
import type { ResolveHost } from "./public-address.server.ts";

/**
 * Loads a file from an address that someone else chose, such as the image of a provider. Undefined when it can't be loaded, is too large
 * or too slow, or when its host is in a private network (SSRF).
 */
export type FetchPublicFile = (url: string, limits: { maxBytes: number }) => Promise<Uint8Array | undefined>;

type PublicFetchOptions = {
  /** Origins that may have any address, and need no HTTPS: servers on this machine that a test runs. */
  allowedOrigins?: readonly string[];
  timeLimitMs?: number;
  resolve?: ResolveHost;
};

const maxRedirects = 3;

/** Each host is resolved once, and the connection goes to the address that was checked: a second answer of its DNS server changes nothing. */
export function createPublicFetch({
  allowedOrigins = [],
  timeLimitMs = 10_000,
  resolve = resolveWithSystem,
}: PublicFetchOptions = {}): FetchPublicFile {
  return async (address, { maxBytes }) => {
    const signal = AbortSignal.timeout(timeLimitMs);
    let next = URL.parse(address);
    try {
      for (let hop = 0; next && hop <= maxRedirects; hop++) {
        const isAllowed = allowedOrigins.includes(next.origin);
        const addresses = isAllowed ? undefined : await findPublicAddresses(next, resolve);
        if (!isAllowed && !addresses) return undefined;
        const response = await open(next, { addresses, signal });
        const { statusCode = 0, headers } = response;
        if (statusCode === 200) return await read(response, maxBytes);
        response.destroy();
        if (![301, 302, 303, 307, 308].includes(statusCode)) return undefined;
        next = URL.parse(headers.location ?? "", next);
      }
    } catch {
      // Refused, cut off or too slow: for the caller there is no such file.
    }
    return undefined;
  };
}

type Connection = { addresses: readonly string[] | undefined; signal: AbortSignal };

/** Opens a connection to the first of the addresses, in place of those that the URL's host resolves to. */
function open(url: URL, { addresses, signal }: Connection): Promise<IncomingMessage> {
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const lookup = addresses && { lookup: pinLookup(addresses.slice(0, 1)) };
    const options = { agent: false, signal, headers: { accept: "image/*" }, ...lookup };
    send(url, options, resolve).once("error", reject).end();
  });
}

async function read(response: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) return undefined;
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return response.complete ? Buffer.concat(chunks) : undefined;
}
