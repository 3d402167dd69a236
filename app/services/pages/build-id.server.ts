import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Config } from "#app/services/config/config.server.ts";
import type { SiteContent } from "#app/services/config/site-content.server.ts";

/**
 * Identifies the built program: a hash of its server files, which name those of the browser by the hashes of their content, and of the
 * versions of its packages.
 */
export function hashProgram(serverFolder: string, lockFile: string): string {
  const hash = createHash("sha256").update(process.version).update(readFileSync(lockFile));
  const files = readdirSync(serverFolder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js"));
  for (const name of files.toSorted()) hash.update(`\n${name}\n`).update(readFileSync(join(serverFolder, name)));
  return hash.digest("base64url");
}

/** Identifies all that a public page depends on besides its owner's data: two processes with the same id render the same bytes. */
export function createBuildId(program: string, { config, siteContent, ...has }: BuildIdOptions) {
  const { baseUrl, demo, hstsIncludesSubdomains, premium } = config;
  const settings = JSON.stringify({ baseUrl, demo, hstsIncludesSubdomains, premium, siteContent, ...has });
  return createHash("sha256").update(`${program}\n${settings}`).digest("base64url").slice(0, 22);
}

type BuildIdOptions = {
  config: Config;
  siteContent: SiteContent;
  /** Whether card pages offer a pass. */
  hasApplePasses: boolean;
  hasGoogleWallet: boolean;
};
