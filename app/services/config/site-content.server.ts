import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

import { isEmail, toAsciiDomain } from "#app/services/base/email-address.ts";
import { startProblem, systemCode } from "#app/services/base/errors.ts";
import { oneLine, paragraph } from "#app/services/base/plain-text.ts";

const oneMailAddress = "must be a single email address";

/** One line of text, not empty. */
const requiredLine = (max = 300) =>
  z
    .string()
    .transform(oneLine)
    .pipe(z.string().min(1, "is empty").max(max, tooLongMessage(max)));
/** One line of text; undefined when it is empty. */
const optionalLine = z
  .string()
  .transform(oneLine)
  .pipe(z.string().max(300, tooLongMessage(300)))
  .transform((text) => text || undefined)
  .optional();

/** A path on this site. "//elsewhere.example" would be another site. */
const ownPath = z
  .string()
  .regex(/^\/(?![/\\])[^\s\\]*$/, "must be a path on this site, such as /files/…")
  .max(500);

/** An http or https URL without a username or password. "https:example.com" is rejected. */
const webAddress = z
  .string()
  .trim()
  .max(500, tooLongMessage(500))
  .refine((text) => {
    const url = URL.parse(text);
    return /^https?:\/\/[^/\\?#@\s]+(?:[/?#]|$)/i.test(text) && url !== null && !url.username && !/\s/.test(text);
  }, "must be a URL that starts with https:// or http://");

/** A web address, or "mailto:hello@example.com". */
const linkAddress = z.union([z.string().regex(/^mailto:[^\s?@:/]+@[^\s?@/]+$/i), webAddress], {
  error: "must be a URL that starts with https://, http:// or mailto:",
});

const quote = z.strictObject({
  quote: requiredLine(600),
  name: requiredLine(),
  role: requiredLine(),
  company: optionalLine,
  /** Stars. */
  rating: z.number().min(1).max(5).multipleOf(0.5).default(5),
  avatar: ownPath.optional(),
});

const operator = z.strictObject({
  name: z
    .string()
    .transform(oneLine)
    .pipe(z.string().max(300, tooLongMessage(300)))
    .default(""),
  /** Several lines. */
  address: z
    .string()
    .transform(paragraph)
    .pipe(z.string().max(500, tooLongMessage(500)))
    .default(""),
  email: z
    .string()
    .trim()
    .transform(toAsciiDomain)
    .refine((email) => email === "" || isEmail(email), oneMailAddress)
    .default(""),
});

/** DATA_DIR/content/site.json. Empty texts and missing facts are not shown. */
const siteFile = z.strictObject({
  operator: operator.prefault({}),
  quotes: z.array(quote).max(12).default([]),
  facts: z
    .strictObject({
      region: optionalLine,
      inTransit: optionalLine,
      encryptionAtRest: optionalLine,
      backups: optionalLine,
    })
    .default({}),
  social: z
    .array(z.strictObject({ service: requiredLine(40), url: linkAddress }))
    .max(3)
    .default([]),
});

/** `texts`: the operator's privacy notice and terms in Markdown, if any. */
export type SiteContent = z.infer<typeof siteFile> & { texts: { privacy?: string; terms?: string } };
export type Quote = z.infer<typeof quote>;

/** Reads the folder DATA_DIR/content at the start. Throws a start problem that lists every mistake with its file and field. */
export function readSiteContent(dataDir: string): SiteContent {
  const problems = listUnknownFiles(contentPath(dataDir), Object.values(fileNames)).map(
    (name) => `${contentPath(dataDir, name)} isn't a known file. Known files: ${Object.values(fileNames).join(", ")}`,
  );
  const read = (name: string, maxBytes: number) => {
    const path = contentPath(dataDir, name);
    const { text, problem } = readContentFile(path, maxBytes);
    if (problem) problems.push(`${path} ${problem}`);
    return text;
  };
  const site = parseSite(read(fileNames.site, maxSiteBytes));
  if ("problems" in site)
    problems.push(...site.problems.map((text) => `${contentPath(dataDir, fileNames.site)}: ${text}`));
  const privacy = read(fileNames.privacy, maxTextBytes);
  const terms = read(fileNames.terms, maxTextBytes);
  if (problems.length > 0 || "problems" in site) throw startProblem(`${problems.join(". ")}.`);
  return { ...site.content, texts: { ...(privacy && { privacy }), ...(terms && { terms }) } };
}

const fileNames = { site: "site.json", privacy: "privacy.md", terms: "terms.md" };
const maxSiteBytes = 100_000;
const maxTextBytes = 200_000;

type SiteFile = z.infer<typeof siteFile>;

function parseSite(text = "{}"): { content: SiteFile } | { problems: string[] } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { problems: [`it isn't valid JSON: ${error instanceof Error ? error.message : String(error)}`] };
  }
  const result = siteFile.safeParse(json);
  return result.success ? { content: result.data } : { problems: result.error.issues.map(issueText) };
}

/** Formats an issue: "quotes.1.rating: Invalid input", 'operator: "emial" isn't a known field'. */
function issueText(issue: z.core.$ZodIssue): string {
  const field = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    return `${field ? `${field}: ` : ""}${issue.keys.map((key) => JSON.stringify(key.slice(0, 60))).join(", ")} isn't a known field`;
  }
  return `${field || "the file"}: ${issue.message}`;
}

function tooLongMessage(max: number): string {
  return `is longer than ${max} characters`;
}

/** The text of a file, or why it can't be read (as the rest of a sentence that starts with its path). Neither if there is no file. */
type ContentFile = { text?: string; problem?: string };

/** Reads a UTF-8 file, without the byte order mark of Windows editors and with "\n" as line break. */
function readContentFile(path: string, maxBytes: number): ContentFile {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT") return {};
    return {
      problem: `can't be read: ${unreadableReasons.get(code) ?? (error instanceof Error ? error.message : String(error))}`,
    };
  }
  if (bytes.length > maxBytes) return { problem: `is larger than ${maxBytes / 1000} kB` };
  const text = decode(bytes);
  if (text === undefined) return { problem: "isn't UTF-8 text: save it with UTF-8 encoding" };
  if (text.trim() === "") return { problem: "is empty: fill it in or remove it" };
  return { text: text.replace(/\r\n?/g, "\n") };
}

/** Lists files that are never read, so that "privcy.md" is reported. Ignores backup files of editors. */
function listUnknownFiles(folder: string, known: readonly string[]): string[] {
  try {
    return readdirSync(folder).filter((name) => !known.includes(name) && !/^\.|~$|\.(?:bak|orig|sw[op])$/.test(name));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error))) return [];
    throw error;
  }
}

function contentPath(dataDir: string, name = ""): string {
  return join(dataDir, "content", name);
}

const unreadableReasons = new Map([
  ["EISDIR", "it is a folder"],
  ["ENOTDIR", "a part of that path is a file"],
  ["EACCES", "no permission"],
  ["EPERM", "no permission"],
  ["ELOOP", "it is a link to itself"],
]);

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
