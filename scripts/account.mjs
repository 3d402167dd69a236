// `npm run account -- <command> <email>`: what operators do to one account; --help lists the commands.
import { ensureBuilt, ensureInstalled, runOnProductNode } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
runOnProductNode(["build/server/account.js", ...process.argv.slice(2)], { NODE_ENV: "production" });
