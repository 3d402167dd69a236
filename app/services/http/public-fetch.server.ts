import { lookup as resolveHost } from "node:dns/promises";
import { request as requestHttp } from "node:http";
import type { IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";
import type { LookupFunction } from "node:net";

/**
 * Loads a file from an address that someone else chose, such as the picture of a provider. Undefined when it can't be loaded, is too large
 * or too slow, or when its host is in a private network (SSRF).
 */
export type FetchPublicFile = (url: string, limits: { maxBytes: number }) => Promise<Uint8Array | undefined>;

type PublicFetchOptions = {
  /** Origins that may have any address, and need no HTTPS: servers on this machine that a test runs. */
  allowedOrigins?: readonly string[];
  timeLimitMs?: number;
  /** Resolves a host to its addresses. */
  resolve?: (host: string) => Promise<readonly string[]>;
};

const maxRedirects = 3;

/** Each host is resolved once, and the connection goes to the address that was checked: a second answer of its DNS server changes nothing. */
export function createPublicFetch({
  allowedOrigins = [],
  timeLimitMs = 10_000,
  resolve = resolveAll,
}: PublicFetchOptions = {}): FetchPublicFile {
  return async (address, { maxBytes }) => {
    const signal = AbortSignal.timeout(timeLimitMs);
    let next = URL.parse(address);
    try {
      for (let hop = 0; next && hop <= maxRedirects; hop++) {
        const isAllowed = allowedOrigins.includes(next.origin);
        const host = isAllowed ? undefined : await findPublicAddress(next, resolve);
        if (!isAllowed && host === undefined) return undefined;
        const response = await open(next, { host, signal });
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

async function findPublicAddress(
  { protocol, hostname, port, username, password }: URL,
  resolve: (host: string) => Promise<readonly string[]>,
): Promise<string | undefined> {
  if (protocol !== "https:" || port !== "" || username || password) return undefined;
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const addresses = isIP(host) ? [host] : await resolve(host);
  return addresses.every((address) => isPublicAddress(address)) ? addresses[0] : undefined;
}

async function resolveAll(host: string): Promise<string[]> {
  return (await resolveHost(host, { all: true })).map(({ address }) => address);
}

/** Opens a connection to `host`, an address, in place of the one that the URL's host resolves to. */
function open(url: URL, { host, signal }: { host: string | undefined; signal: AbortSignal }): Promise<IncomingMessage> {
  const lookup: LookupFunction = (_, options, callback) => {
    const address = host ?? "";
    const family = isIP(address);
    if (options.all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const options = { agent: false, signal, headers: { accept: "image/*" }, ...(host && { lookup }) };
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

/** Whether an address belongs to a host on the internet: not to this machine, a private network or a protocol (RFC 6890). */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address);
  // Global unicast only: neither mapped nor translated IPv4 addresses.
  return isIPv6(address) && globalUnicast.check(address, "ipv6") && !special.check(address, "ipv6");
}

const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");

const special = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  special.addSubnet(network, prefix, "ipv4");
// Tunnels to IPv4 (Teredo, 6to4), and documentation.
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  special.addSubnet(network, prefix, "ipv6");
