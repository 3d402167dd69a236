// After a build: copies the font files that the server draws names with into build/node_modules, where it finds them before those in
// node_modules. They are a quarter of their packages, which an installation then doesn't need.
import { cpSync, globSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "build/node_modules");
const server = globSync(join(root, "build/server/**/*.js"))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");
const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

rmSync(target, { recursive: true, force: true });
for (const name of Object.keys(devDependencies).filter((one) => one.startsWith("@fontsource"))) {
  const source = join(root, "node_modules", name);
  const files = readdirSync(join(source, "files")).filter((file) => isRead(name, file));
  const about = files.length > 0 ? ["package.json", "LICENSE", "unicode.json"] : [];
  for (const path of [...about, ...files.map((file) => join("files", file))])
    cpSync(join(source, path), join(target, name, path));
}

/** The server names the files that it reads, except those of Noto Sans, which it finds by their characters (font-packages.ts). */
function isRead(name, file) {
  return name.startsWith("@fontsource-variable/noto-")
    ? file.startsWith(basename(name)) && file.endsWith("-wght-normal.woff2")
    : server.includes(`${file}"`);
}
