// `npm run billing -- setup`: creates at Stripe what selling Premium needs, and prints the settings; --help lists the commands.
import { ensureBuilt, ensureInstalled, runOnProductNode } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
runOnProductNode(["build/server/billing.js", ...process.argv.slice(2)], { NODE_ENV: "production" });
