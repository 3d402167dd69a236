// `npm run copy-files`: copies uploaded files from DATA_DIR to the bucket of S3_…, while Meishi is running.
import { ensureBuilt, ensureInstalled, runOnProductNode } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
runOnProductNode(["build/server/backup.js", "copy-files", ...process.argv.slice(2)], { NODE_ENV: "production" });
