import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";

/** A clock for built programs, which runs at the usual speed: `env` makes a program use it. `now` is in epoch milliseconds. */
export function openProgramClock({ closesAfterTest = true } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "meishi-clock-"));
  if (closesAfterTest) cleanUpAfterTest(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "milliseconds");
  let ahead = 0;

  /** Lets time pass in all programs with this clock, at once. */
  function advance(ms: number) {
    ahead += ms;
    // In one step: the program may be reading.
    writeFileSync(`${file}.new`, String(ahead));
    renameSync(`${file}.new`, file);
  }

  advance(0);
  const preload = pathToFileURL(join(import.meta.dirname, "preloaded-clock.ts")).href;
  return { advance, now: () => Date.now() + ahead, env: { TEST_CLOCK: file, NODE_OPTIONS: `--import=${preload}` } };
}
