import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

/** A data folder in which an operator has put these files: the value for DATA_DIR. `site.json` may be an object. */
export function contentFolder(files: Record<string, string | object>): string {
  const dataDir = mkdtempSync(join(tmpdir(), "meishi-content-"));
  cleanUpAfterTest(() => rmSync(dataDir, { recursive: true, force: true }));
  mkdirSync(join(dataDir, "content"));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(dataDir, "content", name), typeof content === "string" ? content : JSON.stringify(content));
  return dataDir;
}
