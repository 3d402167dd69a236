import { chmodSync, readFileSync } from "node:fs";
import { randomBytes } from "node:crypto";

import { z } from "zod";

import { startProblem } from "./start-problem.ts";
import { writeWhole } from "./whole-file.server.ts";

/**
 * The installation's secrets in one file, 0600. One that is missing is made and on the disk before it is used. A damaged
 * file is a start problem, never replaced: new secrets would end every session and void whatever the old ones protect.
 */
export function openSecrets(path: string) {
  const secrets = readSecrets(path);
  function secret(name: string): string {
    const known = secrets.get(name);
    if (known) return known;
    const made = randomBytes(32).toString("base64url");
    writeWhole(path, `${JSON.stringify(Object.fromEntries([...secrets, [name, made]]), null, 2)}\n`);
    secrets.set(name, made);
    return made;
  }
  return { secret };
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
    `The secrets in ${path} are damaged. Put the file back from a backup, or delete it: then everybody has to sign in again.`,
  );
}

/** What is no JSON is undefined, which no schema takes: the caller says what is wrong, without showing the secrets. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
