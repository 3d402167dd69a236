import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { expect, onTestFinished, test } from "vitest";
import { parseAst } from "vite";

import { packFolder, readPackage, root, writeReleaseFolder } from "../../../scripts/release/release-folder.ts";
import { environment } from "#app/services/config/config.server.ts";
import { freePort } from "#tests/support/program/free-port.ts";

/** Modules that the built server names, but only browsers load. */
const browserOnly = ["tesseract.js"];

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "meishi-release-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** The packages that an import in the release finds: those of its lockfile, from the installed ones. */
function linkPackages(folder: string) {
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as {
    packages: Record<string, { optional?: boolean }>;
  };
  const isAtTop = (path: string) => path.lastIndexOf("node_modules/") === 0;
  const paths = Object.keys(packages).filter((path) => isAtTop(path) && !packages[path]?.optional);
  for (const path of [...paths, "node_modules/.bin"]) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    symlinkSync(join(root, path), join(folder, path));
  }
  return paths.map((path) => path.slice("node_modules/".length));
}

// The archive needs GNU tar.
test.runIf(process.platform === "linux")("a release starts with `node server.js`, without dev packages", async () => {
  const folder = makeFolder();
  const release = join(folder, "meishi");
  writeReleaseFolder(release);
  packFolder(release, { file: join(folder, "meishi.tar.gz"), time: 1_700_000_000 });
  rmSync(release, { recursive: true });
  execFileSync("tar", ["--extract", "--file", "meishi.tar.gz"], { cwd: folder });
  const names = linkPackages(release);
  expect(names).toContain("hono");
  expect(Object.keys(readPackage().devDependencies).filter((name) => names.includes(name))).toEqual([]);

  const port = await freePort();
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, ["server.js"], {
    cwd: release,
    env: { PATH: environment().PATH, PORT: String(port), DATA_DIR: join(folder, "data") },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  const statusOf = (path: string) =>
    fetch(`${url}${path}`).then(
      (response) => response.status,
      () => (child.exitCode === null ? "not yet" : "never"),
    );
  await expect.poll(() => statusOf("/healthz")).not.toBe("not yet");
  // The image takes fonts, whose packages are dev packages.
  for (const path of ["/healthz", "/card/demo-card", "/auth", "/card/demo-card/preview.png"])
    expect(await statusOf(path), path).toBe(200);
});

test.runIf(process.platform === "linux")("archives have the same bytes, whoever packs the files and when", () => {
  const pack = (time: number, mode: number) => {
    const folder = makeFolder();
    cpSync(join(root, "migrations"), join(folder, "meishi/migrations"), { recursive: true });
    for (const name of globSync("**/*.sql", { cwd: folder })) {
      utimesSync(join(folder, name), time, time);
      chmodSync(join(folder, name), mode);
    }
    packFolder(join(folder, "meishi"), { file: join(folder, "meishi.tar.gz"), time: 1_700_000_000 });
    return readFileSync(join(folder, "meishi.tar.gz"));
  };
  expect(pack(1_650_000_000, 0o600).equals(pack(1_600_000_000, 0o664))).toBe(true);
});

/** The modules that a file imports: "zod", "node:fs", "./main.js". */
function listModules(file: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, source } = node as { type?: string; source?: { value?: unknown } | null };
    if (/^(?:Import|Export)/.test(type ?? "") && typeof source?.value === "string") found.push(source.value);
    Object.values(node).forEach(visit);
  };
  visit(parseAst(readFileSync(file, "utf8")));
  return found;
}

test("the built server imports only packages of a production installation", () => {
  const { dependencies } = readPackage();
  const names = globSync(join(root, "build/server/**/*.js"))
    .flatMap(listModules)
    .filter((name) => !name.startsWith(".") && !isBuiltin(name))
    .map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
  expect(new Set(names).size).toBeGreaterThan(30);
  expect([...new Set(names)].filter((name) => !(name in dependencies)).toSorted()).toEqual(browserOnly);
});
