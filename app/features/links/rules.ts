import { planList } from "#app/features/billing/rules.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import { isEmail, toAsciiDomain } from "#app/services/base/email-address.ts";
import { plainLine, withoutDirectionMarks } from "#app/services/base/plain-text.ts";

/** The most that any plan includes. Headings have a limit of their own. */
export const maxStoredLinks = Math.max(...planList.map(({ maxLinks }) => maxLinks));
export const maxHeadings = 8;

/** How many links a list may have: what the plan includes, or after a downgrade as many as are stored. */
export function linkLimit({ maxLinks }: Pick<Plan, "maxLinks">, stored: number): number {
  return Math.max(maxLinks, stored);
}

export const maxLabelLength = 60;
export const maxAltLength = 120;
export const maxCampaignLength = 60;
const maxAddressLength = 2048;

/** A row, a text above the links that follow, a card that names the medium and the site ("Video · YouTube"), or a large card with an image. */
export const linkKinds = ["link", "heading", "media", "featured"] as const;
export type LinkKind = (typeof linkKinds)[number];

/** The kind in a form field; "link" for unknown values. */
export function parseKind(name: string): LinkKind {
  return linkKinds.find((kind) => kind === name) ?? "link";
}

/**
 * The texts of a link that may be left empty. A heading has none of them. The form, its checks, the stored link, the conflict notice and
 * the API follow from this table.
 */
export const optionalLinkTexts = {
  utmSource: { label: "Source", maxLength: maxCampaignLength },
  utmMedium: { label: "Medium", maxLength: maxCampaignLength },
  utmCampaign: { label: "Campaign name", maxLength: maxCampaignLength },
};

/** The campaign parameters that are added to a link's address when visitors open it. A missing or empty one isn't added. */
export type LinkCampaign = Partial<Record<"utmSource" | "utmMedium" | "utmCampaign", string>>;

/** How many of a list's entries count as links, and how many are headings. */
export function countEntries(entries: readonly { kind: LinkKind }[]): { links: number; headings: number } {
  const headings = entries.filter(({ kind }) => kind === "heading").length;
  return { links: entries.length - headings, headings };
}

/**
 * Adds "https://" to an address that starts with a domain: "example.com/me" and "//example.com/me" -> "https://example.com/me"; and
 * "mailto:" to an email address. Removes a repeated scheme ("https://https://example.com"), and writes a known one in lowercase:
 * "HTTP://Example.com" -> "http://Example.com". Other text is returned unchanged. Idempotent.
 */
export function withScheme(address: string): string {
  // Text copied from chats and documents may contain direction marks.
  const text = withoutDirectionMarks(address).trim();
  if (text.length > maxAddressLength) return text;
  const email = toAsciiDomain(text);
  if (isEmail(email)) return `mailto:${email}`;
  const typed = text.replace(repeatedScheme, "$1://");
  if (startsWithHost.test(typed)) return `https://${typed}`;
  if (typed.startsWith("//") && startsWithHost.test(typed.slice(2))) return `https:${typed}`;
  return typed.replace(knownScheme, (scheme) => scheme.toLowerCase());
}

/**
 * Whether a link may lead to an address: http, https, mailto, tel or sms as browsers parse it, with a host, an email address or a
 * number; without a username and password, and without invisible characters.
 */
export function isAllowedAddress(address: string): boolean {
  if (address.length === 0 || address.length > maxAddressLength) return false;
  if (address !== address.trim() || invisibleCharacters.test(address)) return false;
  const url = URL.parse(address);
  if (!url) return false;
  switch (url.protocol) {
    case "http:":
    case "https:":
      // Browsers read "http:evil", "http:\\evil" and "https://bank.example@evil" differently from people.
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

/** "https://www.linkedin.com/in/ada/" -> "linkedin.com/in/ada" */
export function shortAddress(url: string): string {
  return url.replace(/^\s*(?:https?:\/\/)?(?:www\.)?/i, "").replace(/\/$/, "");
}

/**
 * Where a link leads, as visitors see it: the host without "www.", the address of mailto:, the number of tel: and sms:. A host in
 * another script stays in its ASCII form (xn--…), because lookalike letters could imitate another host.
 */
export function hostLabel(address: string): string {
  const url = URL.parse(address);
  if (!url) return "";
  if (url.protocol === "mailto:" || url.protocol === "tel:" || url.protocol === "sms:") return toReadable(url.pathname);
  return url.hostname.replace(/^www\.(?=.*\.)/, "");
}

/** A long host without its start: its end says whose site it is. */
export function shortenHost(host: string): string {
  return host.length > 40 ? `…${host.slice(-24)}` : host;
}

/** Whether an address opens a mail program, a phone or a page. */
export function addressKind(address: string): "mail" | "phone" | "page" {
  const { protocol } = URL.parse(withScheme(address)) ?? { protocol: "" };
  if (protocol === "mailto:") return "mail";
  return protocol === "tel:" || protocol === "sms:" ? "phone" : "page";
}

/** Copying an address behind "https://" often takes the colon away: "https://https//example.com". */
const repeatedScheme = /^(?:https?:?\/\/)*(https?):?\/\//i;
const knownScheme = /^(?:https?|mailto|tel|sms):/i;

/** A domain name in any script, localhost or an IP address, followed by the end, a port, a path, a query or a fragment. */
const startsWithHost = new RegExp(
  String.raw`^(?:(?:[\p{L}\p{N}\p{M}_-]+\.)+(?:xn--[a-z0-9-]+|\p{L}[\p{L}\p{M}]+)\.?|localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])(?::\d{1,5})?(?=[/?#]|$)`,
  "iu",
);

/** Control characters, lone surrogates, line separators, direction marks and zero-width characters. */
const invisibleCharacters = /[\p{Cc}\p{Cs}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

/** The host of a web address, in lowercase and without the trailing dot of an absolute name; "" for any other text. */
export function linkHost(address: string): string {
  const url = URL.parse(withScheme(address));
  return url && /^https?:$/.test(url.protocol) ? url.hostname.replace(/\.$/, "") : "";
}

/** "j%C3%B6rg@example.com" -> "jörg@example.com", without characters that could make it look like another address. */
function toReadable(path: string): string {
  return plainLine(decodePath(path));
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // not valid percent-encoding
  }
}
