// `npm run backup`: makes a backup while Meishi is running; --help says how.
import { ensureBuilt, ensureInstalled, runOnProductNode } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
runOnProductNode(["build/server/backup.js", "backup", ...process.argv.slice(2)], { NODE_ENV: "production" });
