import { existsSync } from "node:fs";
import { join } from "node:path";

import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";

import { environment } from "#app/services/config/config.server.ts";

/**
 * Starts the machine's Chromium, headless and cut off from other hosts; `args` are added to its command line. The headless shell, where it
 * is installed, unless `isWhole`: the same engine without the parts of a browser's window (decision 56).
 */
export function launchChromium(args: string[] = [], { isWhole = false } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(environment().PATH ?? "", { isWhole }),
    headless: true,
    // Chromium can't use its sandbox as root; it opens only our own pages.
    chromiumSandbox: false,
    // Without a locale it ignores file names that are not ASCII.
    env: { ...definedOf(environment()), LANG: "C.UTF-8" },
    args: [
      "--disable-gpu",
      // The processor time of its processes is counted (run-summary.ts): a zygote doesn't report that of the renderers it started.
      "--no-zygote",
      // Pages live for seconds: threads that compile and collect beside them cost more than they save.
      "--js-flags=--single-threaded",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // No test may reach another host.
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
      ...args,
    ],
  });
}

function definedOf(variables: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

const headlessShells = ["chromium-headless-shell", "chrome-headless-shell"];
const browsers = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The program that runs the tests, from the folders of a PATH; throws what to install when there is none. */
export function findChromium(path: string, { isWhole = false } = {}): string {
  const names = isWhole ? browsers : [...headlessShells, ...browsers];
  const folders = path.split(":").filter(Boolean);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
  if (found) return found;
  throw new Error(
    `No ${browsers.join(", ")} on the PATH. Install one: sudo apt-get install chromium (Debian, Ubuntu), ` +
      "brew install --cask chromium (macOS).",
  );
}
