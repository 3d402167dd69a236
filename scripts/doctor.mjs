// `npm run doctor`: checks an installation and says how to fix what is wrong.
import { ensureBuilt, ensureInstalled, runOnProductNode } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
runOnProductNode(["build/server/doctor.js", ...process.argv.slice(2)], { NODE_ENV: "production" });
