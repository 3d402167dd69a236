// `npm start`: installs and builds when needed, then runs the built program.
import { readFileSync } from "node:fs";

import { ensureBuilt, ensureInstalled, runProgram } from "./setup.mjs";

if (process.argv.includes("--version")) {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  process.stdout.write(`${version}\n`);
  process.exit();
}

ensureInstalled();
ensureBuilt();
runProgram();
