// `npm run bench`: the measurements of docs/figures.md. `npm run bench -- cached-page memory`: some of them, by the names in bench/main.ts.
import { ensureBuilt, ensureInstalled, runOnProductNode } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
runOnProductNode(["bench/main.ts", ...process.argv.slice(2)]);
