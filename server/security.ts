import { createHash, randomBytes } from "node:crypto";
import { BlockList, isIP } from "node:net";

import type { Config } from "#app/services/config/config.server.ts";

/** The source expression of an inline style or script in a Content-Security-Policy. */
export function inlineHash(source: string): string {
  return `'sha256-${createHash("sha256").update(source).digest("base64")}'`;
}

export function newNonce(): string {
  return randomBytes(16).toString("base64url");
}

/**
 * The policy of a page. With a nonce (signed-in pages) its scripts may run; without one only the inline style and script with these
 * hashes, so that every visitor gets the same bytes.
 */
export function contentSecurityPolicy(
  inline: { style: string; script: string },
  { nonce, hasFrames = nonce !== undefined }: { nonce?: string | undefined; hasFrames?: boolean } = {},
): string {
  return [
    "default-src 'none'",
    `script-src ${nonce ? `'self' 'nonce-${nonce}' ` : ""}${inline.script}`,
    `style-src 'self' ${inline.style}`,
    // blob: is a chosen image while it is cropped.
    `img-src 'self' data:${nonce ? " blob:" : ""}`,
    "font-src 'self'",
    "connect-src 'self'",
    // The service worker.
    ...(nonce ? ["worker-src 'self'"] : []),
    // The preview of an email signature or of a stored email, which are pages with inline styles.
    ...(hasFrames ? ["frame-src 'self'"] : []),
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The policy of a page of the site: names its inline scripts by hash, so that the page can be cached. */
export function sitePolicy(scriptHashes: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${scriptHashes.join(" ")}`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The policy of a file that isn't a page. `default-src` doesn't cover the last two. */
export const resourcePolicy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/**
 * Reads the visitor's address: the socket's, or behind a trusted proxy the last one in X-Forwarded-For that isn't a trusted proxy. Others'
 * X-Forwarded-For is ignored; `onUnknownProxy` is called the first time that it comes from a private address.
 */
export function createAddressReader(trustedProxy: string[], onUnknownProxy?: (address: string) => void) {
  const isTrusted = createAddressMatcher(trustedProxy);
  let hasReported = false;
  return (socketAddress: string, forwardedFor: string | null): string => {
    const nearest = withoutMapping(socketAddress);
    if (!forwardedFor) return nearest;
    if (isTrusted(nearest)) {
      const hops = forwardedFor.split(",").map((hop) => withoutMapping(withoutPort(hop.trim())));
      return hops.findLast((hop) => !isTrusted(hop)) ?? nearest;
    }
    // Anyone on the internet can send that header. In a private network it is most likely a proxy that isn't configured.
    if (!hasReported && isPrivate(nearest)) {
      hasReported = true;
      onUnknownProxy?.(nearest);
    }
    return nearest;
  };
}

/**
 * Says which header of a request must not be believed: the one that names the visitor's country, unless a trusted proxy sends it, because
 * anyone else can make it up. Undefined if there is none.
 */
export function createHeaderCheck({ trustedProxy, countryHeader }: Pick<Config, "trustedProxy" | "countryHeader">) {
  // Most installations have none, and this is called for each cached page.
  if (countryHeader === undefined) return () => undefined;
  const isTrusted = createAddressMatcher(trustedProxy);
  return (socketAddress: string) => (isTrusted(withoutMapping(socketAddress)) ? undefined : countryHeader);
}

/** A function that says whether an address is in these addresses and networks ("10.0.0.0/8"). */
function createAddressMatcher(entries: string[]) {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", prefix] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address: string) => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** RFC 1918, RFC 4193 and loopback. */
const isPrivate = createAddressMatcher([
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "127.0.0.0/8",
  "::1",
  "fc00::/7",
]);

/** "203.0.113.9:51324" -> "203.0.113.9", "[2001:db8::1]:443" -> "2001:db8::1": some proxies add the port. */
function withoutPort(hop: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(hop)?.[1] ?? hop;
}

/** "::ffff:10.0.0.1" -> "10.0.0.1": an IPv4 address on a dual-stack socket. */
function withoutMapping(address: string): string {
  return address.startsWith("::ffff:") ? address.slice(7) : address;
}
