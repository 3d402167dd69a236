import { LRUCache } from "lru-cache";
import { isbot } from "isbot";

import { sourceOf } from "#app/features/sharing/source-marks.ts";
import type { CountedRequest } from "#app/services/http/context.ts";

/** What is counted about the way a visitor came. Each is "" when it isn't known. */
export type VisitOrigin = {
  source: string;
  device: UserAgent["device"];
  /** ISO 3166-1: "DE". */
  country: string;
  /** The host of another site that led here: "news.example". */
  referrer: string;
  /** "newsletter / email / spring": the source, medium and campaign of the address. */
  campaign: string;
};

export const noOrigin: VisitOrigin = { source: "", device: "", country: "", referrer: "", campaign: "" };

/** Where this site is, and the header in which its proxy names the visitor's country, in lower case. */
export type OriginOptions = { host: string; countryHeader: string | undefined };

/** Reads no more of a request than this. Runs for each public page that is served. */
export function readOrigin({ headers, search }: CountedRequest, options: OriginOptions): VisitOrigin {
  const before = readReferrer(headers["referer"]?.toString(), options.host);
  return {
    source: sourceOf(search) || before.source,
    device: readUserAgent(headers["user-agent"]?.toString() ?? "").device,
    country: readCountry(options.countryHeader && headers[options.countryHeader]),
    referrer: before.referrer,
    campaign: search.includes("utm_") ? readCampaign(search) : before.campaign,
  };
}

type PageBefore = Pick<VisitOrigin, "source" | "referrer" | "campaign">;

const noPage: PageBefore = { source: "", referrer: "", campaign: "" };

/** The same few pages lead here again and again. */
const knownReferrers = new LRUCache<string, PageBefore>({ max: 4_000 });

/** Another site is known by its host alone. On our own pages, the mark of the page before still says how the visitor came. */
function readReferrer(referrer: string | undefined, ownHost: string): PageBefore {
  if (!referrer) return noPage;
  const known = knownReferrers.get(referrer);
  if (known) return known;
  const url = URL.parse(referrer);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return noPage;
  const page =
    url.host === ownHost
      ? { source: sourceOf(url.search), referrer: "", campaign: readCampaign(url.search) }
      : { ...noPage, referrer: readHost(url.hostname) };
  if (referrer.length < 500) knownReferrers.set(referrer, page);
  return page;
}

/** Only names that anyone may have: "www.example.com" -> "example.com", an IP address or a name without a dot -> "". */
function readHost(hostname: string): string {
  const host = hostname.replace(/^www\./, "").replace(/\.$/, "");
  return host.length <= 100 && /^(?=.*[a-z])[\w-]+(\.[\w-]+)+$/.test(host) ? host : "";
}

function readCountry(header: string | string[] | undefined): string {
  if (typeof header !== "string") return "";
  const country = header.trim().toUpperCase();
  // XX: unknown to the proxy.
  return /^[A-Z]{2}$/.test(country) && country !== "XX" ? country : "";
}

/** Only plain words: a mail program might add the address of a reader. */
function readCampaign(search: string): string {
  if (!search.includes("utm_")) return "";
  const query = new URLSearchParams(search);
  const parts = ["utm_source", "utm_medium", "utm_campaign"].map((name) => {
    const value = query.get(name)?.trim().toLowerCase() ?? "";
    return /^[\p{L}\p{N} ._+-]{1,40}$/u.test(value) && !/\d{6}/.test(value) ? value : "";
  });
  return parts.filter(Boolean).join(" / ");
}

/** What is read from a `User-Agent`. */
type UserAgent = { isBot: boolean; device: "phone" | "tablet" | "desktop" | "" };

/** Browsers send 200 characters. The time that the expressions below take grows with the square of the length: 50 ms for 16 kB. */
const maxUserAgent = 512;

/** The same few browsers come again and again. */
const knownUserAgents = new LRUCache<string, UserAgent>({ max: 4_000 });

/** Runs for each public page that is served. */
export function readUserAgent(header: string): UserAgent {
  const before = knownUserAgents.get(header);
  if (before) return before;
  const text = header.slice(0, maxUserAgent);
  const userAgent = { isBot: isbot(text), device: deviceOf(text) };
  if (header.length <= maxUserAgent) knownUserAgents.set(header, userAgent);
  return userAgent;
}

/** An iPad that requests desktop pages says that it is a Mac, and counts as one. */
function deviceOf(userAgent: string): UserAgent["device"] {
  if (userAgent === "") return "";
  if (/iPad|Tablet|PlayBook|Kindle|Silk|Android(?!.*Mobi)/.test(userAgent)) return "tablet";
  return /Mobi|iPhone|iPod/.test(userAgent) ? "phone" : "desktop";
}
