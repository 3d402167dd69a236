import { chmodSync, readFileSync } from "node:fs";
import { createHash, randomBytes } from "node:crypto";

import { z } from "zod";

import { startProblem } from "#app/services/base/errors.ts";
import type { Secrets } from "#app/services/base/signed-token.server.ts";
import { writeAtomically } from "#app/services/base/atomic-write.server.ts";

/**
 * The installation's secrets in one file with mode 0600. A missing secret is created and written to the disk before it is used. A damaged
 * file is a start problem and never replaced: new secrets would end every session and invalidate every signature. `find` creates none.
 */
export function openSecrets(path: string) {
  const secrets = readSecrets(path);
  function save(changed: Record<string, string>) {
    writeAtomically(path, `${JSON.stringify({ ...Object.fromEntries(secrets), ...changed }, null, 2)}\n`);
    for (const [name, value] of Object.entries(changed)) secrets.set(name, value);
  }
  function secret(name: string): string {
    const known = secrets.get(name);
    if (known) return known;
    const created = randomBytes(32).toString("base64url");
    save({ [name]: created });
    return created;
  }
  function all(): InstallationSecrets {
    const current = secret("auth");
    return { secret: current, previousSecret: secrets.get("previous"), firstSecret: secrets.get("first") ?? current };
  }
  /** Replaces the secret; the one that it had becomes the previous one. */
  function rotate(): InstallationSecrets {
    const { secret, firstSecret } = all();
    save({ auth: randomBytes(32).toString("base64url"), previous: secret, first: firstSecret });
    return all();
  }
  return { secret, all, rotate, find: (name: string) => secrets.get(name) };
}

/** `firstSecret`: the one before any rotation. */
export type InstallationSecrets = Secrets & { firstSecret: string };

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
