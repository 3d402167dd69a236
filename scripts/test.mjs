// `npm test`: sets up what the tests need, then runs them all (or those whose paths are given).
import { ensureBuilt, ensureChromium, ensureInstalled, runOnProductNode } from "./setup.mjs";

ensureInstalled();
ensureChromium();
ensureBuilt();
runOnProductNode(["node_modules/vitest/vitest.mjs", "run", ...process.argv.slice(2)]);
