import { z } from "zod";

/** The last entry of a backup, and the one before it: the SHA-256 of all others, as `sha256sum -c` reads them. */
export const manifestName = "manifest.json";
export const sumsName = "sha256sums.txt";

/** The SHA-256 of each entry by its name. */
export type HashList = Map<string, string>;

export function formatHashes(hashes: HashList): string {
  return [...hashes].map(([name, hash]) => `${hash}  ${name}\n`).join("");
}

/** What a backup contains. */
export const manifestSchema = z.object({
  format: z.literal(1),
  /** Of the program that wrote it. */
  version: z.string(),
  /** Epoch milliseconds. Everything that was stored before is in the backup. */
  createdAt: z.number(),
  engine: z.enum(["sqlite", "postgres"]),
  baseUrl: z.string(),
  /** The migrations that its database had. */
  migrations: z.array(z.string()),
  /** Rows by table. */
  tables: z.record(z.string(), z.number()),
  /** Uploaded files; null when the backup has only the database, as before an update. */
  files: z.object({ count: z.number(), bytes: z.number() }).nullable(),
  /** SHA-256 of sha256sums.txt. */
  sums: z.string(),
});

export type Manifest = z.infer<typeof manifestSchema>;
