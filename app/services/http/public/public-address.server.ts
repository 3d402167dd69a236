import { lookup as resolveHost } from "node:dns/promises";
import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";
import type { LookupFunction } from "node:net";

/** Resolves a host to its addresses. Throws when there are none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/**
 * The addresses of a URL's host, when a server may connect to them: https at its usual port, without user and password, and every address
 * on the internet (SSRF). Hosts in other notations, such as `2130706433` or `0x7f.1`, are addresses once the URL is parsed. Throws when the
 * host can't be resolved.
 */
export async function findPublicAddresses(url: URL, resolve: ResolveHost): Promise<readonly string[] | undefined> {
  if (!isPublicUrl(url)) return undefined;
  const host = hostOf(url);
  const addresses = isIP(host) ? [host] : await resolve(host);
  return addresses.length > 0 && addresses.every((address) => isPublicAddress(address)) ? addresses : undefined;
}

/** The same before the host is resolved. */
export function isPublicUrl(url: URL): boolean {
  const { protocol, port, username, password } = url;
  if (protocol !== "https:" || port !== "" || username || password) return false;
  const host = hostOf(url);
  return isIP(host) ? isPublicAddress(host) : !/(^|\.)localhost\.?$/.test(host);
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

export async function resolveWithSystem(host: string): Promise<string[]> {
  return (await resolveHost(host, { all: true })).map(({ address }) => address);
}

/** Connects to these addresses, whatever the host resolves to by now. */
export function pinLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_, options, callback) => {
    const [first = { address: "", family: 0 }] = all;
    if (options.all) callback(null, all);
    else callback(null, first.address, first.family);
  };
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
