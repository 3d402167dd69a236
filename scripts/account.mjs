// `npm run account -- reset-2fa <email>`: turns off two-step verification for an owner who lost their second factor.
import { ensureBuilt, ensureInstalled, runOnProductNode } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
runOnProductNode(["build/server/account.js", ...process.argv.slice(2)], { NODE_ENV: "production" });
