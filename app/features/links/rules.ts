import { plans } from "#app/features/billing/rules.ts";
import { plainLine, withoutDirectionMarks } from "#app/services/plain-text.ts";

/** The same on every plan. */
export const maxLinks = plans.free.maxLinks;
const maxAddressLength = 2048;

/**
 * "example.com/me" -> "https://example.com/me", "//example.com" too, "HTTP://Example.com" -> "http://Example.com"; what does
 * not look like a domain stays as typed. Saying it twice changes nothing.
 */
export function withScheme(address: string): string {
  // Addresses copied from chats and documents bring marks of direction along.
  const typed = withoutDirectionMarks(address).trim();
  if (typed.length > maxAddressLength) return typed;
  if (startsWithHost.test(typed)) return `https://${typed}`;
  if (typed.startsWith("//") && startsWithHost.test(typed.slice(2))) return `https:${typed}`;
  return typed.replace(knownScheme, (scheme) => scheme.toLowerCase());
}

/**
 * Whether an address may stand behind a link: http, https, mailto, tel or sms as a browser understands it, with a host, an e-mail
 * address or a number; without a name and password, and without signs that an eye can't see.
 */
export function isAllowedAddress(address: string): boolean {
  if (address.length === 0 || address.length > maxAddressLength) return false;
  if (address !== address.trim() || unseenSigns.test(address)) return false;
  const url = URL.parse(address);
  if (!url) return false;
  switch (url.protocol) {
    case "http:":
    case "https:":
      // "http:evil", "http:\\evil" and "https://bank.example@evil" mean to a browser what they don't mean to a reader.
      return (
        /^https?:\/\/[^/\\?#@]+(?:[/?#]|$)/i.test(address) && url.hostname !== "" && !url.username && !url.password
      );
    case "mailto:":
      return /^mailto:[^/?@\s][^?@\s]*@[^?@\s]+(?:\?|$)/i.test(address);
    case "tel:":
    case "sms:":
      return /^(?:tel|sms):\+?[\d(]/i.test(address);
    default:
      return false;
  }
}

/**
 * What a visitor reads as the place behind a link: "linkedin.com" without "www.", the address behind mailto:, the number behind tel:
 * and sms:. A host in another script stays in its ASCII form (xn--…): letters that look alike can't pass for another host.
 */
export function hostLabel(address: string): string {
  const url = URL.parse(address);
  if (!url) return "";
  if (url.protocol === "mailto:" || url.protocol === "tel:" || url.protocol === "sms:") return readable(url.pathname);
  return url.hostname.replace(/^www\.(?=.*\.)/, "");
}

/** Which tab a link stands on: professional by its host (linkedin, github, gitlab) or its label (portfolio, resume), else personal. */
function isProfessional({ label, url }: { label: string; url: string }): boolean {
  return /linkedin|github|gitlab/.test(hostOf(url)) || /portfolio|resume/i.test(label);
}

/** What an address opens: somebody's mail, a telephone, or a page. */
export function kindOf(address: string): "mail" | "phone" | "page" {
  const { protocol } = URL.parse(withScheme(address)) ?? { protocol: "" };
  if (protocol === "mailto:") return "mail";
  return protocol === "tel:" || protocol === "sms:" ? "phone" : "page";
}

export type Tab = "professional" | "personal";

/** The tab a link stands on: the one its owner chose, where the plan lets them choose, else by the rule. */
export function tabOf(link: { label: string; url: string; tab: Tab | null }, plan: { canMoveLinks: boolean }): Tab {
  return (plan.canMoveLinks && link.tab) || tabByRule(link);
}

/** The tab that a form names; null for "" and for what is no tab. */
export function tabNamed(name: string): Tab | null {
  return name === "professional" || name === "personal" ? name : null;
}

export function tabByRule(link: { label: string; url: string }): Tab {
  return isProfessional(link) ? "professional" : "personal";
}

/** Whether a host is this one or one below it: gist.github.com is GitHub's, notgithub.com and github.com.evil.example are not. */
export function isHostOf(address: string, name: string): boolean {
  const host = hostOf(address);
  return host === name || host.endsWith(`.${name}`);
}

const knownScheme = /^(?:https?|mailto|tel|sms):/i;

/** A domain name in any script, localhost, or an IP address; then the end, a port, a path, a query or a fragment. */
const startsWithHost = new RegExp(
  String.raw`^(?:(?:[\p{L}\p{N}\p{M}_-]+\.)+(?:xn--[a-z0-9-]+|\p{L}[\p{L}\p{M}]+)\.?|localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])(?::\d{1,5})?(?=[/?#]|$)`,
  "iu",
);

/** Controls, half surrogates, separators of lines, marks of direction and signs without width. */
const unseenSigns = /[\p{Cc}\p{Cs}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

/** In lower case and without the dot that may end a full name; "" where there is no host. */
function hostOf(address: string): string {
  const url = URL.parse(withScheme(address));
  return url && /^https?:$/.test(url.protocol) ? url.hostname.replace(/\.$/, "") : "";
}

/** "j%C3%B6rg@example.com" -> "jörg@example.com", without signs that could make it read as another address. */
function readable(path: string): string {
  return plainLine(decoded(path));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // its percent signs spell no text: as typed
  }
}
