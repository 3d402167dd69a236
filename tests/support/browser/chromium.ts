import { existsSync } from "node:fs";
import { join } from "node:path";

import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";

import { environment } from "#app/services/config/config.server.ts";

/** Starts the machine's Chromium, headless and cut off from other hosts; `args` are added to its command line. */
export function launchChromium(args: string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(environment().PATH ?? ""),
    headless: true,
    // Chromium can't use its sandbox as root; it opens only our own pages.
    chromiumSandbox: false,
    // Without a locale it ignores file names that are not ASCII.
    env: { ...definedOf(environment()), LANG: "C.UTF-8" },
    args: [
      "--disable-gpu",
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

function findChromium(path: string): string {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const folders = path.split(":").filter(Boolean);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
  if (found) return found;
  throw new Error(
    `No ${names.join(", ")} on the PATH. Install one: sudo apt-get install chromium (Debian, Ubuntu), ` +
      "brew install --cask chromium (macOS).",
  );
}
