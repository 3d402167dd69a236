import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

export const root = join(import.meta.dirname, "../..");

const contents = `
  build/client build/server build/node_modules migrations docs deploy sdk/README.md sdk/client.ts sdk/package.json
  README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE server.js
  scripts/setup.mjs scripts/start.mjs scripts/account.mjs scripts/backup.mjs scripts/restore.mjs scripts/doctor.mjs scripts/billing.mjs
  scripts/vacuum.mjs scripts/wallet.mjs
  scripts/release/remove-headers.mjs
`;
const commands = ["start", "account", "backup", "restore", "doctor", "vacuum", "billing", "wallet"];

type Names = Record<string, string>;
type LockEntry = {
  dependencies?: Names;
  optionalDependencies?: Names;
  peerDependencies?: Names;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  devDependencies?: Names;
};
type Lockfile = { packages: Record<string, LockEntry> };

/**
 * Writes what a release has into a new folder. Its package.json and lockfile have no dev packages. The packages aren't included, because
 * some are programs for one platform: `npm ci` installs those of the machine, which are compiled already.
 */
export function writeReleaseFolder(folder: string) {
  mkdirSync(folder, { recursive: true });
  const isOfUse = (path: string) => basename(path) !== ".env";
  for (const path of contents.trim().split(/\s+/))
    cpSync(join(root, path), join(folder, path), { recursive: true, filter: isOfUse });
  const { devDependencies: _, imports: __, scripts, ...description } = readPackage();
  const needed = Object.fromEntries(commands.map((name) => [name, scripts[name]]));
  const postinstall = "node scripts/release/remove-headers.mjs";
  writeJson(join(folder, "package.json"), { ...description, scripts: { ...needed, postinstall } });
  const lockfile: Lockfile = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  writeJson(join(folder, "package-lock.json"), { ...lockfile, packages: listProductionEntries(lockfile) });
}

/** The entries that production needs. `npm ci --omit=dev` alone also installs the test runner, an optional peer of a package. */
function listProductionEntries({ packages }: Lockfile): Lockfile["packages"] {
  const reached = new Set<string>();
  const visit = (path: string, { dependencies, optionalDependencies, peerDependencies, ...entry }: LockEntry) => {
    const peers = Object.keys(peerDependencies ?? {}).filter((name) => !entry.peerDependenciesMeta?.[name]?.optional);
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const found = findEntry(packages, name, path);
      if (found === undefined || reached.has(found)) continue;
      reached.add(found);
      visit(found, packages[found] ?? {});
    }
  };
  const { devDependencies: _, ...program } = packages[""] ?? {};
  visit("", program);
  return { "": program, ...Object.fromEntries(Object.entries(packages).filter(([path]) => reached.has(path))) };
}

/** The path of the package that `name` means in the package at `path`, as Node searches it. */
function findEntry(packages: Lockfile["packages"], name: string, path: string): string | undefined {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const found = `${folder && `${folder}/`}node_modules/${name}`;
    if (found in packages) return found;
    if (folder === "") return undefined;
  }
}

/** Packs a folder as a .tar.gz: the same bytes for the same files and time (in seconds). Needs GNU tar. */
export function packFolder(folder: string, { file, time }: { file: string; time: number }) {
  const order = ["--format=ustar", "--sort=name", `--mtime=@${time}`];
  const owner = ["--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"];
  const paths = ["--file", file, "--directory", dirname(folder), basename(folder)];
  execFileSync("tar", ["--create", "--use-compress-program=gzip -9n", ...order, ...owner, ...paths], {
    env: { ...process.env, LC_ALL: "C" },
    stdio: "inherit",
  });
}

function writeJson(file: string, value: unknown) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

type Package = {
  name: string;
  version: string;
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  imports: Record<string, string>;
};

export function readPackage(): Package {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
}
