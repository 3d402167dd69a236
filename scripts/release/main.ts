// What `npm run release` does once the program is built; see scripts/release.mjs.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { packFolder, readPackage, root, writeReleaseFolder } from "./release-folder.ts";

const maxInstalledMb = 450;
const target = join(root, "release");

const [option, folder] = process.argv.slice(2);
if (option === "--folder" && folder) writeReleaseFolder(resolve(folder));
else release();

function release() {
  const { name, version, devDependencies } = readPackage();
  checkCommit(version);
  const time = Number(git("log", "-1", "--format=%ct"));
  const release = `${name}-${version}`;
  const files = [`${release}.cdx.json`, `${release}.tar.gz`];
  const temporary = mkdtempSync(join(tmpdir(), "meishi-release-"));
  process.on("exit", () => rmSync(temporary, { recursive: true }));
  const staged = join(temporary, release);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);

  writeReleaseFolder(staged);
  packFolder(staged, { file: join(target, `${release}.tar.gz`), time });
  writeFileSync(join(target, `${release}.cdx.json`), listPackages(staged, time));
  const checksums = files.map((file) => `${checksum(file)}  ${file}\n`).join("");
  writeFileSync(join(target, "SHA256SUMS"), checksums);
  const megabytes = measureInstalled(staged, Object.keys(devDependencies));
  console.log(`${checksums}Installed size: ${megabytes} MB`);
  if (megabytes > maxInstalledMb) fail(`An installation may have at most ${maxInstalledMb} MB.`);
}

function checkCommit(version: string) {
  if (git("status", "--porcelain") !== "") fail("There are uncommitted changes. Commit them first.");
  const heading = new RegExp(`^## ${RegExp.escape(version)} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, "m");
  if (!heading.test(readFileSync(join(root, "CHANGELOG.md"), "utf8")))
    fail(`CHANGELOG.md has no section “## ${version} (year-month-day)”.`);
}

/** The packages of all platforms, as CycloneDX. npm adds the time and a random number, which would differ each time. */
function listPackages(staged: string, time: number): string {
  const text = npm(staged, "sbom", "--omit=dev", "--sbom-format", "cyclonedx", "--package-lock-only");
  const { serialNumber: _, ...list } = JSON.parse(text);
  list.metadata.timestamp = new Date(time * 1000).toISOString();
  return `${JSON.stringify(list, null, 2)}\n`;
}

/** The size of an installation on this platform, which must not have a dev package. */
function measureInstalled(staged: string, devPackages: string[]): number {
  npm(staged, "ci", "--omit=dev", "--loglevel=error");
  const found = devPackages.filter((name) => existsSync(join(staged, "node_modules", name)));
  if (found.length > 0) fail(`A production installation has dev packages: ${found.join(", ")}`);
  return Number.parseInt(execFileSync("du", ["-sm", staged], { encoding: "utf8" }), 10);
}

function checksum(file: string): string {
  return createHash("sha256")
    .update(readFileSync(join(target, file)))
    .digest("hex");
}

/** Returns what npm prints. */
function npm(cwd: string, ...args: string[]): string {
  return execFileSync("npm", [...args, "--no-audit", "--no-fund"], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 100_000_000,
  });
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
}

function fail(text: string): never {
  console.error(text);
  process.exit(1);
}
