import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

/** An empty folder that is removed after the test. */
export function makeTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "meishi-test-"));
  cleanUpAfterTest(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
