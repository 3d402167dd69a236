// `npm run bench`: the README's figures, each measured side by side in one run.
import { ensureBuilt, ensureInstalled, runOnProductNode } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
runOnProductNode(["bench/main.ts", ...process.argv.slice(2)]);
