import { chmodSync, readFileSync } from "node:fs";
import { createHash, randomBytes } from "node:crypto";

import { z } from "zod";

import { startProblem } from "#app/services/base/errors.ts";
import { writeAtomically } from "#app/services/base/atomic-write.server.ts";

/**
 * The installation's secrets in one file with mode 0600. A missing secret is created and written to the disk before it is used. A damaged
 * file is a start problem and never replaced: new secrets would end every session and invalidate every signature. `find` creates none.
 */
export function openSecrets(path: string) {
  const secrets = readSecrets(path);
  function secret(name: string): string {
    const known = secrets.get(name);
    if (known) return known;
    const created = randomBytes(32).toString("base64url");
    writeAtomically(path, `${JSON.stringify(Object.fromEntries([...secrets, [name, created]]), null, 2)}\n`);
    secrets.set(name, created);
    return created;
  }
  return { secret, find: (name: string) => secrets.get(name) };
}

/** The setting with the fingerprint of the secret that the database was first used with. */
export const fingerprintName = "secret-fingerprint";

export function fingerprintOf(secret: string): string {
  return createHash("sha256").update(`meishi fingerprint\n${secret}`).digest("base64url");
}

const fileContent = z.record(z.string(), z.string().min(32));

function readSecrets(path: string): Map<string, string> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
    chmodSync(path, 0o600);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return new Map();
    throw startProblem(
      `The secrets in ${path} can't be read: ${error instanceof Error ? error.message : String(error)}.`,
      error,
    );
  }
  const content = fileContent.safeParse(parse(text));
  if (content.success) return new Map(Object.entries(content.data));
  throw startProblem(
    `The secrets in ${path} are damaged. Restore the file from a backup, or delete it; everyone then has to sign in again.`,
  );
}

/** Returns undefined for invalid JSON, which the schema rejects. The parser's own error would show the secrets. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
