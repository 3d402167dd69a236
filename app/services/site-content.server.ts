import { z } from "zod";

import { contentPath, listUnknownNames, readContentFile } from "./content-folder.server.ts";
import { oneLine, paragraph } from "./plain-text.ts";
import { startProblem } from "./start-problem.ts";

const oneMailAddress = "must be one mail address";

/** One line of text; too long, or none, is a problem. */
const line = (max = 300) =>
  z
    .string()
    .transform(oneLine)
    .pipe(z.string().min(1, "is empty").max(max, tooLong(max)));
/** An empty text is not said at all. */
const optionalLine = z
  .string()
  .transform(oneLine)
  .pipe(z.string().max(300, tooLong(300)))
  .transform((text) => text || undefined)
  .optional();

/** A path of this site: "//elsewhere.example" would be another one. */
const ownPath = z
  .string()
  .regex(/^\/(?![/\\])[^\s\\]*$/, "must be a path on this site, such as /files/…")
  .max(500);

/** "https://example.com/me"; without a name and password, and not "https:example.com". */
const webAddress = z
  .string()
  .trim()
  .max(500, tooLong(500))
  .refine((text) => {
    const url = URL.parse(text);
    return /^https?:\/\/[^/\\?#@\s]+(?:[/?#]|$)/i.test(text) && url !== null && !url.username && !/\s/.test(text);
  }, "must be a web address that starts with https:// or http://");

/** A page, or a mail box: "mailto:hello@example.com". */
const linkAddress = z.union([z.string().regex(/^mailto:[^\s?@:/]+@[^\s?@/]+$/i), webAddress], {
  error: "must be an address that starts with https://, http:// or mailto:",
});

const quote = z.strictObject({
  quote: line(600),
  name: line(),
  role: line(),
  company: optionalLine,
  /** Stars. */
  rating: z.number().min(1).max(5).multipleOf(0.5).default(5),
  avatar: ownPath.optional(),
});

const operator = z.strictObject({
  name: z
    .string()
    .transform(oneLine)
    .pipe(z.string().max(300, tooLong(300)))
    .default(""),
  /** Several lines. */
  address: z
    .string()
    .transform(paragraph)
    .pipe(z.string().max(500, tooLong(500)))
    .default(""),
  email: z
    .string()
    .trim()
    .pipe(z.union([z.email(oneMailAddress), z.literal("")], { error: oneMailAddress }))
    .default(""),
});

/** DATA_DIR/content/site.json: what the operator says. An empty text, and a fact that is missing, is not said at all. */
const siteContent = z.strictObject({
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
    .array(z.strictObject({ service: line(40), url: linkAddress }))
    .max(3)
    .default([]),
});

/** `texts`: the operator's own privacy notice and terms in Markdown, where there are any. */
export type SiteContent = z.infer<typeof siteContent> & { texts: { privacy?: string; terms?: string } };
export type Quote = z.infer<typeof quote>;

/**
 * The folder DATA_DIR/content, read once, at the start. Throws a start problem that lists all that is wrong, each with its file and
 * field: a slip of the pen must not bring the samples back.
 */
export function readSiteContent(dataDir: string): SiteContent {
  const problems = listUnknownNames(contentPath(dataDir), Object.values(names)).map(
    (name) => `${contentPath(dataDir, name)} is not read by anything: there are ${Object.values(names).join(", ")}`,
  );
  const read = (name: string, maxBytes: number) => {
    const path = contentPath(dataDir, name);
    const { text, problem } = readContentFile(path, maxBytes);
    if (problem) problems.push(`${path} ${problem}`);
    return text;
  };
  const site = parseSite(read(names.site, MAX_SITE_BYTES));
  if ("problems" in site) problems.push(...site.problems.map((text) => `${contentPath(dataDir, names.site)}: ${text}`));
  const privacy = read(names.privacy, MAX_TEXT_BYTES);
  const terms = read(names.terms, MAX_TEXT_BYTES);
  if (problems.length > 0 || "problems" in site) throw startProblem(`${problems.join(". ")}.`);
  return { ...site.content, texts: { ...(privacy && { privacy }), ...(terms && { terms }) } };
}

const names = { site: "site.json", privacy: "privacy.md", terms: "terms.md" };
const MAX_SITE_BYTES = 100_000;
const MAX_TEXT_BYTES = 200_000;

type SiteFile = z.infer<typeof siteContent>;

function parseSite(text = "{}"): { content: SiteFile } | { problems: string[] } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { problems: [`it is no JSON: ${error instanceof Error ? error.message : String(error)}`] };
  }
  const read = siteContent.safeParse(json);
  return read.success ? { content: read.data } : { problems: read.error.issues.map(wordsOf) };
}

/** "quotes.1.rating: Invalid input", 'operator: "emial" is not known'. */
function wordsOf(issue: z.core.$ZodIssue): string {
  const place = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    return `${place ? `${place}: ` : ""}${issue.keys.map((key) => JSON.stringify(key.slice(0, 60))).join(", ")} is not known`;
  }
  return `${place || "the file"}: ${issue.message}`;
}

function tooLong(max: number): string {
  return `is longer than ${max} signs`;
}
