// Runs after the packages of a release are installed: removes the C headers of Node, 67 MB that only compilers read.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../node_modules/node/node_modules", import.meta.url));
for (const name of existsSync(folder) ? readdirSync(folder) : [])
  if (name.startsWith("node-")) rmSync(`${folder}/${name}/include`, { recursive: true, force: true });
