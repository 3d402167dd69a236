// Adds the optional native packages of other platforms to package-lock.json. npm leaves out those that the registry does not
// list, and `npm ci` then fails, or a Mac gets no native binding. Run it after every change of a dependency:
//   node scripts/complete-lockfile.mjs [folder]
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const systems = ["darwin", "linux", "win32", "freebsd", "android", "openharmony"];
const processors = ["arm64", "x64", "ia32", "arm", "ppc64", "riscv64", "s390x", "wasm32"];

/** Name and version of each optional dependency without an entry: `[["@scope/tool-darwin-arm64", "1.2.3"], …]`. */
export function missingEntries(lock) {
  const known = new Set(Object.keys(lock.packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + 13)));
  return Object.values(lock.packages).flatMap((entry) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !known.has(name))
      .map(([name, version]) => ({ name, version, isDev: entry.dev === true })),
  );
}

function entryFor({ name, version, isDev }) {
  const parts = name.split(/[/-]/);
  const os = systems.find((system) => parts.includes(system));
  const cpu = processors.find((processor) => parts.includes(processor));
  if (!cpu || !/^[\d.]+$/.test(version)) return undefined;
  const libc = parts.includes("musl") ? "musl" : os === "linux" && parts.includes("gnu") ? "glibc" : undefined;
  return {
    version,
    cpu: [cpu],
    ...(libc && { libc: [libc] }),
    ...(isDev && { dev: true }),
    optional: true,
    ...(os && { os: [os] }),
  };
}

function completeLockfile(folder) {
  const file = join(folder, "package-lock.json");
  const lock = JSON.parse(readFileSync(file, "utf8"));
  const missing = missingEntries(lock);
  for (const dependency of missing) {
    const entry = entryFor(dependency);
    if (entry) lock.packages[`node_modules/${dependency.name}`] ??= entry;
    else console.error(`Not added, because its platform is unknown: ${dependency.name}@${dependency.version}`);
  }
  const [root, ...rest] = Object.entries(lock.packages);
  lock.packages = Object.fromEntries([root, ...rest.toSorted(([one], [other]) => one.localeCompare(other, "en"))]);
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`Added ${missing.length} entries to ${file}.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) completeLockfile(process.argv[2] ?? ".");
