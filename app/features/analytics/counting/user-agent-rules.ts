import { isbot } from "isbot";
import { LRUCache } from "lru-cache";

/** What is read from a `User-Agent`. */
export type UserAgent = { isBot: boolean; device: "phone" | "tablet" | "desktop" | "" };

/** The same few browsers come again and again. */
const known = new LRUCache<string, UserAgent>({ max: 4_000 });

/** Runs for each public page that is served. */
export function readUserAgent(text: string): UserAgent {
  const before = known.get(text);
  if (before) return before;
  const userAgent = { isBot: isbot(text), device: deviceOf(text) };
  if (text.length <= 512) known.set(text, userAgent);
  return userAgent;
}

/** An iPad that asks for desktop pages says that it is a Mac, and counts as one. */
function deviceOf(userAgent: string): UserAgent["device"] {
  if (userAgent === "") return "";
  if (/iPad|Tablet|PlayBook|Kindle|Silk|Android(?!.*Mobi)/.test(userAgent)) return "tablet";
  return /Mobi|iPhone|iPod/.test(userAgent) ? "phone" : "desktop";
}
