import { parseCsv } from "#app/services/base/csv.ts";
import { plainLine, shortened } from "#app/services/base/plain-text.ts";

import { decodeTextFile } from "#app/features/links/import-file.ts";
import { leftOutReasons, linkImportMessages } from "#app/features/links/import-messages.ts";
import type { ImportedLink, LinkImportResult } from "#app/features/links/imported-links.ts";
import type { LeftOutReason } from "#app/features/links/import-messages.ts";
import { linkedInMessages, readLinkedInFile } from "#app/features/linkedin/export-file.server.ts";
import type { LinkedInProfile } from "#app/features/linkedin/export-file.server.ts";
import { isAllowedAddress, maxLabelLength, parseKind, withScheme } from "#app/features/links/rules.ts";
import type { LinkKind } from "#app/features/links/rules.ts";
import { hostOf, readSavedPage } from "./saved-page.server.ts";
import { isRecord, profileLinks } from "#app/features/links/schema.ts";

/**
 * Reads the links in a saved page (of Linktree or any other site), in exported bookmarks, in a JSON or CSV file, or in LinkedIn data. The
 * returned links are valid for the profile's form. Makes no requests.
 */
export async function readLinkFile(bytes: Uint8Array): Promise<LinkImportResult> {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 4_000));
  if (safariArchive.test(start)) return { problem: linkImportMessages.safariArchive };
  if (mhtmlHead.test(mimeHead(start))) return checkLinks(findMhtmlLinks(bytes));
  const file = decodeTextFile(toUtf8(bytes, /<meta[^>]*charset=["']?([\w-]+)/i.exec(start)?.[1]));
  const text = "text" in file ? file.text.trim() : "";
  const profile = await readLinkedInFile(bytes, text);
  if (profile) return "problem" in profile ? profile : checkProfile(profile);
  if ("problem" in file) return file;
  if (/^[[{]/.test(text)) {
    const data = parseJson(text);
    return data === undefined ? { problem: linkImportMessages.noJson } : checkLinks(findLinks(data));
  }
  const rows = text.startsWith("<") ? [] : findRowLinks(text);
  if (rows.length > 0) return checkLinks(rows);
  return /<[a-z!]/i.test(text) ? checkLinks(findPageLinks(text)) : { problem: linkImportMessages.neither };
}

function checkProfile({ websites, name, headline, summary }: LinkedInProfile): LinkImportResult {
  if (![name, headline, summary, ...websites].some(Boolean)) return { problem: linkedInMessages.empty };
  const links = websites.map(({ label, url }): FoundLink => ({ kind: "link", label, url: withScheme(url) }));
  return { ...(links.length > 0 ? checkLinks(links) : { links: [], left: [] }), texts: { name, headline, summary } };
}

/** A property list, binary or XML. */
const safariArchive = /^bplist|<!DOCTYPE plist/;
/** The header of a page that Chrome or Edge saved as a single file (RFC 2557). */
const mhtmlHead = /^content-type:\s*(?:multipart\/|text\/html)/im;

function toUtf8(bytes: Uint8Array, charset = "utf-8"): Uint8Array {
  if (/^utf-?8$/i.test(charset)) return bytes;
  try {
    return Buffer.from(new TextDecoder(charset).decode(bytes));
  } catch (error) {
    if (error instanceof RangeError) return bytes; // unknown charset
    throw error;
  }
}

function findMhtmlLinks(bytes: Uint8Array): FoundLink[] {
  const text = Buffer.from(bytes).toString("latin1");
  const head = mimeHead(text);
  const boundary = /boundary="?([^"\r\n;]+)/i.exec(head)?.[1];
  // The first part is the page. The others are its frames and images.
  const page = boundary === undefined ? text : (text.split(`--${boundary}`, 2)[1] ?? "").trimStart();
  if (!/^content-type:\s*text\/html/im.test(mimeHead(page))) return [];
  return findPageLinks(decodePart(page), /^snapshot-content-location:\s*(\S+)/im.exec(head)?.[1]);
}

/** The text of a MIME part (RFC 2045 §6). Not by a library for mails, which takes half a minute for a million empty lines. */
function decodePart(part: string): string {
  const head = mimeHead(part);
  const body = part.slice(head.length);
  const encoding = /^content-transfer-encoding:\s*([\w-]+)/im.exec(head)?.[1]?.toLowerCase();
  const encoded = encoding === "quoted-printable" ? fromQuotedPrintable(body) : body;
  const bytes = Buffer.from(encoded, encoding === "base64" ? "base64" : "latin1");
  return Buffer.from(toUtf8(bytes, /charset="?([\w-]+)/i.exec(head)?.[1])).toString();
}

function fromQuotedPrintable(text: string): string {
  return text
    .replace(/=[ \t]*\r?\n/g, "")
    .replace(/=([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

function mimeHead(text: string): string {
  return text.split(/\r?\n\r?\n/, 1)[0] ?? "";
}

/** The links in the page's embedded data, or else its anchors. Those that lead to the page's own site are left out. */
function findPageLinks(html: string, savedFrom = ""): FoundLink[] {
  const { anchors, data, hosts } = readSavedPage(html, savedFrom);
  const own = data ? findLinks(parseJson(data), { onlyNamed: true }) : [];
  if (own.some(({ url }) => url !== "")) return own;
  const isLinkPage = [...hosts].some((host) => linkPageHost.test(host));
  return anchors.map(({ url, label }): FoundLink => {
    const host = hostOf(withScheme(url));
    const isOwn = !absoluteAddress.test(url) || hosts.has(host) || (isLinkPage && linkPageHost.test(host));
    return { kind: "link", label, url, ...(isOwn && { reason: leftOutReasons.ownPage }) };
  });
}

const absoluteAddress = /^\s*(?:[a-z][a-z\d+.-]*:|\/\/)/i;

/** Of a table: whether a cell is an address takes a while, and a row of a hostile file has a hundred thousand. */
const maxColumns = 200;

/**
 * The links of a table whose header has names for both columns ("title,url"). Without them, each row's address is its first cell that is
 * one, and its name is the first other cell.
 */
function findRowLinks(text: string): FoundLink[] {
  const rows = parseCsv(text)
    .slice(0, maxItems)
    .map((row) => row.slice(0, maxColumns));
  const isAddress = (cell: string) => isAllowedAddress(withScheme(cell));
  const header = rows[0]?.some(isAddress) ? [] : (rows.shift() ?? []).map((cell) => cell.trim().toLowerCase());
  if ([urlNames, labelNames].every((names) => names.some((name) => header.includes(name))))
    return rows.flatMap((row) => toLink(Object.fromEntries(header.map((name, column) => [name, row[column]]))) ?? []);
  const links = rows.map((row): FoundLink => {
    const url = row.find(isAddress) ?? "";
    return { kind: "link", label: row.find((cell) => cell.trim() && cell !== url) ?? "", url };
  });
  return links.some(({ url }) => url) ? links : [];
}

function checkLinks(found: readonly FoundLink[]): LinkImportResult {
  if (found.length === 0) return { problem: linkImportMessages.noLinks };
  const links: ImportedLink[] = [];
  const left: string[] = [];
  const leaveOut = ({ label, url }: FoundLink, reason: LeftOutReason) =>
    left.push(linkImportMessages.leftOut(shortened(cleanText(label) || cleanText(url), 40), reason));
  let checkedCount = 0;
  for (const link of found) {
    if (link.reason) leaveOut(link, link.reason);
    else if (++checkedCount <= maxImportedLinks) {
      const checked = checkLink(link);
      const same = checked?.url ? links.find(({ url }) => url === checked.url) : undefined;
      if (!checked) leaveOut(link, link.url ? leftOutReasons.invalidUrl : leftOutReasons.noUrl);
      else if (!same) links.push(checked);
      // The icon of a link often repeats its address without a name.
      else if (link.label && same.label !== checked.label) leaveOut(link, leftOutReasons.repeated);
    }
  }
  if (checkedCount > maxImportedLinks) left.unshift(linkImportMessages.tooMany(maxImportedLinks));
  return { links, left };
}

/** The entry as the form would save it, or undefined. A long name is shortened; a missing one becomes the host. */
function checkLink({ kind, label, url }: FoundLink): ImportedLink | undefined {
  const sent = { kind, label: shortened(cleanText(label), maxLabelLength), url: cleanText(url), on: true };
  const link = profileLinks.safeParse([sent]).data?.[0];
  return link && { kind: link.kind, label: link.label, url: link.url };
}

/** Cuts very long text before cleaning it, which takes more than linear time. */
function cleanText(text: string): string {
  return plainLine(text.slice(0, maxTextLength));
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Services that host link pages: a link to them belongs to the page itself. */
const linkPageHost = /(?:^|\.)(?:linktr\.ee|linktree\.com|beacons\.ai|bio\.link|lnk\.bio)$/;
const maxTextLength = 3_000;
const maxImportedLinks = 200;

/** A link as found in the file; a missing part is "". `reason` says why it isn't imported. */
type FoundLink = { kind: LinkKind; label: string; url: string; reason?: LeftOutReason };

/**
 * The links in JSON of any shape: an array of links, `{"links": […]}`, or lists of any name, nested in collections or folders. With
 * `onlyNamed`, only "links" and "socialLinks": the data of Linktree's page has many other lists. Visits a limited number of objects.
 */
function findLinks(data: unknown, { onlyNamed = false } = {}): FoundLink[] {
  const found: FoundLink[] = [];
  const queue: { record: Record<string, unknown>; depth: number }[] = [];
  const enqueue = (value: unknown, depth: number) =>
    isRecord(value) && depth <= maxDepth && queue.push({ record: value, depth });
  enqueue(Array.isArray(data) ? { links: data } : data, 0);
  for (let visited = 0; visited < queue.length && visited < maxObjects; visited++) {
    const { record = {}, depth = 0 } = queue[visited] ?? {};
    for (const [name, value] of Object.entries(record).slice(0, maxItems)) {
      if (!Array.isArray(value)) enqueue(value, depth + 1);
      else if (listName.test(name) || !onlyNamed)
        for (const item of value.slice(0, maxItems)) {
          const link = toListedLink(name, item);
          if (link) found.push(link);
          else enqueue(item, depth + 1);
        }
    }
  }
  return found;
}

/** An item without an address is reported in a list of links, unless it is a folder. In other lists it's something else. */
function toListedLink(listed: string, item: unknown): FoundLink | undefined {
  const isNamed = listName.test(listed);
  if (!isNamed && !isRecord(item)) return undefined;
  const link = listed === "socialLinks" ? toSocialLink(item) : toLink(item);
  const isFolder = isRecord(item) && Object.values(item).some((value) => Array.isArray(value) && value.some(isRecord));
  return link?.url || (isNamed && !isFolder) ? link : undefined;
}

/**
 * Undefined for an item with neither a label nor an address. Headings have our kind, the type "HEADER" (Linktree) or "heading", or the
 * button 42 (LinkStack).
 */
function toLink(item: unknown): FoundLink | undefined {
  if (typeof item === "string") return item ? { kind: "link", label: "", url: item } : undefined;
  if (!isRecord(item)) return undefined;
  const firstText = (names: readonly string[]) => {
    const value = names.map((name) => (Object.hasOwn(item, name) ? item[name] : "")).find((candidate) => candidate);
    return typeof value === "string" ? value : "";
  };
  const label = firstText(labelNames);
  const url = firstText(urlNames);
  const isHeading = /^head(?:er|ing)$/i.test(firstText(["type"])) || item["button_id"] === 42;
  const kind = isHeading && !url ? "heading" : parseKind(firstText(["kind"]));
  // An image can't be imported.
  return label || url ? { kind: kind === "featured" ? "link" : kind, label, url } : undefined;
}

/** Linktree names these only by their type: "INSTAGRAM". */
function toSocialLink(item: unknown): FoundLink | undefined {
  if (!isRecord(item) || typeof item["type"] !== "string") return toLink(item);
  const kind = item["type"].replaceAll("_", " ").toLowerCase();
  return toLink({ url: item["url"], label: kind.charAt(0).toUpperCase() + kind.slice(1) });
}

/** "link" is LinkStack's, "uri" Firefox's, "description" Pinboard's. */
const urlNames = ["url", "href", "link", "uri", "address"] as const;
const labelNames = ["label", "name", "title", "description"] as const;
const listName = /^(?:links|socialLinks)$/;
const maxDepth = 20;
const maxObjects = 2_000;
const maxItems = 500;
