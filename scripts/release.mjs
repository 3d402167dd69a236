// `npm run release`: writes release/meishi-<version>.tar.gz, its list of packages (SBOM) and the checksums, from a clean commit.
// `node scripts/release.mjs --folder <path>`: only writes what the archive has, as deploy/Dockerfile does.
import { ensureBuilt, ensureInstalled, runOnProductNode } from "./setup.mjs";

ensureInstalled();
ensureBuilt();
runOnProductNode(["scripts/release/main.ts", ...process.argv.slice(2)]);
