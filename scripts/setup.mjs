// What `npm start` and `npm test` need before they can run. Plain JavaScript without packages, because a fresh clone has none; the
// machine's own Node (20 or newer) runs it. Everything else runs on the Node in node_modules.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
export const productNode = join(root, "node_modules/.bin/node");

/** A release has the built program and no sources. */
const isRelease = !existsSync(join(root, "app"));

/** Installs the packages of package-lock.json, when others are installed: exactly those while the lockfile is untouched. */
export function ensureInstalled() {
  if (isRelease && existsSync(productNode)) return;
  const marker = join(root, "node_modules/.meishi-installed");
  const wanted = hashOf(["package.json", "package-lock.json"]);
  if (existsSync(productNode) && readIfThere(marker) === wanted) return;
  say("Installing packages (only once, about a minute)…");
  const flags = ["--no-audit", "--no-fund", "--loglevel=error"];
  if (!isUntouched("package.json", "package-lock.json") || !canRun("npm", ["ci", ...flags])) {
    runOrExit("npm", ["install", ...flags]);
  }
  if (!existsSync(productNode)) {
    fail(
      "npm did not install the package `node`, which provides the Node version that Meishi runs on. Allow its install script (npm config: allow-scripts) and try again.",
    );
  }
  writeFileSync(marker, hashOf(["package.json", "package-lock.json"]));
}

/** Builds the program when its sources have changed since the last build. */
export function ensureBuilt() {
  if (isRelease) return;
  const marker = join(root, "build/.built-from");
  const wanted = hashOf([
    "package-lock.json",
    "vite.config.ts",
    "react-router.config.ts",
    "scripts/trim-route-manifest.mjs",
    "scripts/copy-fonts.mjs",
    ...sources("app"),
    ...sources("server"),
  ]);
  if (readIfThere(marker) === wanted) return;
  say("Building…");
  runOrExit(productNode, ["node_modules/@react-router/dev/bin.cjs", "build", "--logLevel", "warn"]);
  runOrExit(productNode, ["scripts/trim-route-manifest.mjs"]);
  runOrExit(productNode, ["scripts/compress-assets.mjs"]);
  runOrExit(productNode, ["scripts/copy-fonts.mjs"]);
  writeFileSync(marker, wanted);
}

/** Runs the built program until it ends. */
export function runProgram() {
  if (!existsSync(productNode)) fail("The packages are missing. Install them with `npm ci --omit=dev`.");
  runOnProductNode(["build/server/main.js"], {
    NODE_ENV: "production",
    // glibc keeps freed memory in one arena per thread: with two, 70 MB less stay resident after many uploads.
    MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? "2",
  });
}

/** Runs a command on the Node in node_modules, forwards signals to it and exits with its code. */
export function runOnProductNode(args, environment = {}) {
  const child = spawn(productNode, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...environment },
  });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  // A signal to npm ends npm and its shell, but isn't forwarded. A new parent process means that they are gone.
  const parent = process.ppid;
  const isUnderNpm = process.env.npm_lifecycle_event !== undefined;
  if (isUnderNpm) setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), 300).unref();
  child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)));
}

/**
 * Makes sure that there is a Chromium for the browser tests: installs Debian's package as root, or says how to install one. With it comes
 * the headless shell, which takes half the processor time, where the system has that package.
 */
export function ensureChromium() {
  if (findProgram("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")) return;
  const isRoot = process.getuid?.() === 0;
  if (isRoot && findProgram("apt-get")) {
    say("Installing Chromium for the browser tests (Debian package)…");
    spawnSync("apt-get", ["update", "-qq"], { stdio: "inherit" });
    installPackage("chromium", "inherit");
    installPackage("chromium-headless-shell", "ignore");
    if (findProgram("chromium")) return;
  }
  fail(
    "The browser tests need Chromium. Install it (Debian, Ubuntu: `sudo apt-get install chromium`; macOS: `brew install --cask chromium`) and run `npm test` again.",
  );
}

/** `errors`: whether to print what apt-get has to say when it fails. */
function installPackage(name, errors) {
  spawnSync("apt-get", ["install", "-y", "-qq", name], {
    stdio: ["ignore", "ignore", errors],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}

/** Whether these files are as they were checked out. Without Git (an archive, a container) they are. */
function isUntouched(...files) {
  const { status, stdout } = spawnSync("git", ["status", "--porcelain", "--", ...files], {
    cwd: root,
    encoding: "utf8",
  });
  return status !== 0 || stdout === "";
}

function findProgram(...names) {
  const folders = (process.env.PATH ?? "").split(":");
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

function sources(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length))
    .toSorted();
}

function hashOf(files) {
  const hash = createHash("sha256");
  for (const file of files)
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(join(root, file)))
      .update("\0");
  return hash.digest("hex");
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function canRun(command, args) {
  return spawnSync(command, args, { cwd: root, stdio: "inherit" }).status === 0;
}

function runOrExit(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (error) fail(`Could not run ${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}
