// `npm run dev`: the same program through Vite, which reloads changed files.
import { ensureInstalled, runOnProductNode } from "./setup.mjs";

ensureInstalled();
runOnProductNode(["server/dev.ts"], { NODE_ENV: "development" });
