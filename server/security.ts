import { createHash, randomBytes } from "node:crypto";
import { BlockList, isIP } from "node:net";

import type { Config } from "#app/services/config.server.ts";

/** The hash by which a Content-Security-Policy names one inline style or script. */
export function inlineHash(source: string): string {
  return `'sha256-${createHash("sha256").update(source).digest("base64")}'`;
}

export function newNonce(): string {
  return randomBytes(16).toString("base64url");
}

/**
 * The policy of a page. With a nonce its own scripts may run (signed-in pages); without one only the inline
 * style and script whose hashes are given, so that the same bytes can be sent to everybody.
 */
export function contentSecurityPolicy(inline: { style: string; script: string }, nonce?: string): string {
  return [
    "default-src 'none'",
    `script-src ${nonce ? `'self' 'nonce-${nonce}' ` : ""}${inline.script}`,
    `style-src 'self' ${inline.style}`,
    // blob: is a picture that was just chosen and is not sent yet, while it is cropped.
    `img-src 'self' data:${nonce ? " blob:" : ""}`,
    "font-src 'self'",
    "connect-src 'self'",
    // The offline shell's worker, and the preview of an e-mail signature, which is a page with inline styles.
    ...(nonce ? ["worker-src 'self'", "frame-src 'self'"] : []),
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The policy of a page of the site itself: its inline scripts by their hashes, so that it can be kept and sent to everybody. */
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

/** Headers that every answer carries, whatever it is. */
export function commonHeaders(config: Config): [string, string][] {
  const headers: [string, string][] = [
    ["x-content-type-options", "nosniff"],
    ["referrer-policy", "same-origin"],
    ["cross-origin-opener-policy", "same-origin"],
    ["permissions-policy", "camera=(), microphone=(), geolocation=(), browsing-topics=()"],
  ];
  if (config.baseUrl.startsWith("https:")) {
    headers.push(["strict-transport-security", "max-age=31536000"]);
  }
  return headers;
}

/**
 * Whether a write comes from our own pages. Every browser sends Origin with a POST; its host is then the one the
 * request went to. What sends neither header is no browser and has nobody's cookies to abuse, but is refused all the same.
 */
export function isOwnOrigin(headers: Headers, config: Config): boolean {
  const origin = headers.get("origin");
  if (origin === null) return headers.get("sec-fetch-site") === "same-origin";
  if (origin === new URL(config.baseUrl).origin) return true;
  const { protocol } = new URL(config.baseUrl);
  return URL.canParse(origin) && new URL(origin).protocol === protocol && new URL(origin).host === headers.get("host");
}

/**
 * The visitor's address: the socket's, or, when the socket belongs to a proxy we were told to trust, the last one in
 * X-Forwarded-For that is not such a proxy. What others write into that header is ignored; `onUnknownProxy` is told the
 * first time that it comes from a private address.
 */
export function createAddressReader(trustedProxy: string[], onUnknownProxy?: (address: string) => void) {
  const isTrusted = listOf(trustedProxy);
  let hasTold = false;
  return (socketAddress: string, forwardedFor: string | null): string => {
    const nearest = withoutMapping(socketAddress);
    if (!forwardedFor) return nearest;
    if (isTrusted(nearest)) {
      const hops = forwardedFor.split(",").map((hop) => withoutMapping(withoutPort(hop.trim())));
      return hops.findLast((hop) => !isTrusted(hop)) ?? nearest;
    }
    // From the open net anybody may write that header. From a private one it is most likely a proxy that nobody told us of.
    if (!hasTold && isPrivate(nearest)) {
      hasTold = true;
      onUnknownProxy?.(nearest);
    }
    return nearest;
  };
}

/** Whether an address is one of these, or in one of these networks ("10.0.0.0/8"). */
function listOf(entries: string[]) {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", prefix] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address: string) => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** RFC 1918, RFC 4193, and this machine. */
const isPrivate = listOf(["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "::1", "fc00::/7"]);

/** "203.0.113.9:51324" -> "203.0.113.9", "[2001:db8::1]:443" -> "2001:db8::1": some proxies add the port. */
function withoutPort(hop: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(hop)?.[1] ?? hop;
}

/** "::ffff:10.0.0.1" -> "10.0.0.1": the same host, as a dual-stack socket writes it. */
function withoutMapping(address: string): string {
  return address.startsWith("::ffff:") ? address.slice(7) : address;
}
