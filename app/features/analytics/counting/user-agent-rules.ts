import { isbot } from "isbot";
import { LRUCache } from "lru-cache";

/** What is read from a `User-Agent`. */
export type UserAgent = { isBot: boolean; device: "phone" | "tablet" | "desktop" | "" };

/** Browsers send 200 characters. The time that the expressions below take grows with the square of the length: 50 ms for 16 kB. */
const maxLength = 512;

/** The same few browsers come again and again. */
const known = new LRUCache<string, UserAgent>({ max: 4_000 });

/** Runs for each public page that is served. */
export function readUserAgent(header: string): UserAgent {
  const before = known.get(header);
  if (before) return before;
  const text = header.slice(0, maxLength);
  const userAgent = { isBot: isbot(text), device: deviceOf(text) };
  if (header.length <= maxLength) known.set(header, userAgent);
  return userAgent;
}

/** An iPad that requests desktop pages says that it is a Mac, and counts as one. */
function deviceOf(userAgent: string): UserAgent["device"] {
  if (userAgent === "") return "";
  if (/iPad|Tablet|PlayBook|Kindle|Silk|Android(?!.*Mobi)/.test(userAgent)) return "tablet";
  return /Mobi|iPhone|iPod/.test(userAgent) ? "phone" : "desktop";
}
