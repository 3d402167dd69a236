// `npm run vacuum`: gives the space of deleted rows back, while Meishi is running; --help says how.
import { ensureBuilt, ensureInstalled, runOnProductNode } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
runOnProductNode(["build/server/vacuum.js", ...process.argv.slice(2)], { NODE_ENV: "production" });
