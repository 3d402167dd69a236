import { isIP } from "node:net";

/**
 * What one visitor has of the network, for limits: an IPv4 address, or the first 64 bits of an IPv6 address, because every
 * home and every rented server has all the rest to itself. "2001:db8::1" -> "2001:db8:0:0::/64".
 */
export function networkOf(address: string): string {
  const [bare = ""] = address.split("%");
  if (isIP(bare) !== 6) return address;
  // The URL parser writes every spelling of an address in one way, and without a dotted part.
  const [before = "", after] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split("::");
  const head = groups(before);
  const tail = groups(after ?? "");
  const zeros = after === undefined ? [] : Array<string>(8 - head.length - tail.length).fill("0");
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(":")}::/64`;
}

function groups(text: string): string[] {
  return text === "" ? [] : text.split(":");
}
