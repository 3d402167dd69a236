// `npm run dev`: the same program through Vite, reloaded as you save.
import { ensureInstalled, runOnProductNode } from "./setup.mjs";

ensureInstalled();
runOnProductNode(["server/dev.ts"], { NODE_ENV: "development" });
