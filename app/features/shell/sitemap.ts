/** An address for search engines, and when what it shows was last changed (epoch milliseconds), where that is known. */
export type SitemapEntry = { path: string; changedAt?: number };

/** Pages of the site itself that are worth finding. Signing in, and what follows a payment, is not. */
export const sitePages: readonly string[] = [
  "/",
  "/pricing",
  "/docs",
  "/security-overview",
  "/status",
  "/contact",
  "/privacy",
  "/terms",
  "/credits",
];

/** https://www.sitemaps.org/protocol.html: a file has at most 50,000 addresses. Ours have fewer, so that one is made quickly. */
export const addressesPerFile = 10_000;

/** The addresses of one file. */
export function urlSetXml(baseUrl: string, entries: readonly SitemapEntry[]): string {
  const urls = entries.map(({ path, changedAt }) => {
    const changed = changedAt === undefined ? "" : `<lastmod>${new Date(changedAt).toISOString()}</lastmod>`;
    return `<url><loc>${escapeXml(baseUrl + path)}</loc>${changed}</url>\n`;
  });
  return `${head}<urlset xmlns="${namespace}">\n${urls.join("")}</urlset>\n`;
}

/** The list of the files. They lie beside it, because a file may only name what lies beside it or below. */
export function indexXml(baseUrl: string, paths: readonly string[]): string {
  const files = paths.map((path) => `<sitemap><loc>${escapeXml(baseUrl + path)}</loc></sitemap>\n`);
  return `${head}<sitemapindex xmlns="${namespace}">\n${files.join("")}</sitemapindex>\n`;
}

const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);
}
