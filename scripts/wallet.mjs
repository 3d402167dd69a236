// `npm run wallet -- check`: checks the certificates of wallet passes and makes a sample pass; --help lists the commands.
import { ensureBuilt, ensureInstalled, runOnProductNode } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
runOnProductNode(["build/server/wallet.js", ...process.argv.slice(2)], { NODE_ENV: "production" });
