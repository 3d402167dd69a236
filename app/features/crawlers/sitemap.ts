import { escapeMarkup } from "#app/services/base/plain-text.ts";
import type { PremiumAccess } from "#app/services/config/setting-values.ts";

/** A path for search engines, and when its content last changed (epoch milliseconds), if known. */
export type SitemapEntry = { path: string; changedAt?: number };

/** The site's own pages, without those for signing in and after a payment. */
export function listSitePages(premium: PremiumAccess): readonly string[] {
  return premium === "everyone" ? sitePages.filter((path) => path !== "/pricing") : sitePages;
}

/** Where there are plans. */
export const sitePages: readonly string[] = [
  "/",
  "/pricing",
  "/docs",
  "/docs/api",
  "/security-overview",
  "/status",
  "/contact",
  "/privacy",
  "/terms",
  "/credits",
];

/** URLs per file (https://www.sitemaps.org/protocol.html). */
export const maxAddresses = 50_000;
/** A file starts with fewer, to be generated quickly, and to have room for an hour's new ones. */
export const addressesPerFile = 10_000;

/** A sitemap file. */
export function urlSetXml(baseUrl: string, entries: readonly SitemapEntry[]): string {
  const urls = entries.map(({ path, changedAt }) => {
    const changed = changedAt === undefined ? "" : `<lastmod>${new Date(changedAt).toISOString()}</lastmod>`;
    return `<url><loc>${escapeMarkup(baseUrl + path)}</loc>${changed}</url>\n`;
  });
  return `${xmlDeclaration}<urlset xmlns="${namespace}">\n${urls.join("")}</urlset>\n`;
}

/** The index of the sitemap files. They share its path, because a sitemap may only contain URLs at or below its own. */
export function indexXml(baseUrl: string, paths: readonly string[]): string {
  const files = paths.map((path) => `<sitemap><loc>${escapeMarkup(baseUrl + path)}</loc></sitemap>\n`);
  return `${xmlDeclaration}<sitemapindex xmlns="${namespace}">\n${files.join("")}</sitemapindex>\n`;
}

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
