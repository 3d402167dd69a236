// `npm run restore`: restores a backup into an empty installation; --help says how.
import { ensureBuilt, ensureInstalled, runOnProductNode } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
runOnProductNode(["build/server/backup.js", "restore", ...process.argv.slice(2)], { NODE_ENV: "production" });
