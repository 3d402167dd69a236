// `npm start`: installs and builds when needed, then runs the built program.
import { ensureBuilt, ensureInstalled, runOnProductNode } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
runOnProductNode(["build/server/main.js"], { NODE_ENV: "production" });
