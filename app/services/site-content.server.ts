import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

import { startProblem } from "./start-problem.ts";

const text = z.string().trim().max(300);
const webAddress = z.url({ protocol: /^https?$/ }).max(500);

const quote = z.strictObject({
  quote: z.string().trim().min(1).max(600),
  name: text.min(1),
  role: text.min(1),
  company: text.optional(),
  /** Stars. */
  rating: z.number().min(1).max(5).multipleOf(0.5).default(5),
  /** A picture on this site: "/files/…". */
  avatar: z.string().startsWith("/").max(500).optional(),
});

/** DATA_DIR/content/site.json: what the operator says. An empty text, and a fact that is missing, is not said at all. */
const siteContent = z.strictObject({
  operator: z
    .strictObject({
      name: text.default(""),
      address: text.default(""),
      email: z.union([z.email(), z.literal("")]).default(""),
    })
    .prefault({}),
  quotes: z.array(quote).max(12).default([]),
  facts: z
    .strictObject({
      region: text.optional(),
      inTransit: text.optional(),
      encryptionAtRest: text.optional(),
      backups: text.optional(),
    })
    .default({}),
  social: z
    .array(z.strictObject({ service: text.min(1), url: webAddress }))
    .max(3)
    .default([]),
});

export type SiteContent = z.infer<typeof siteContent>;
export type Quote = z.infer<typeof quote>;

/** Read once, at the start. Throws a start problem that names the field: a slip of the pen must not bring the samples back. */
export function readSiteContent(dataDir: string): SiteContent {
  const path = join(dataDir, "content", "site.json");
  if (!existsSync(path)) return siteContent.parse({});
  const read = siteContent.safeParse(readJson(path));
  if (read.success) return read.data;
  const problems = read.error.issues.map((issue) => `${issue.path.join(".") || "the file"}: ${issue.message}`);
  throw startProblem(`${path} can't be used. ${problems.join("; ")}`);
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw startProblem(`${path} can't be read: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}
