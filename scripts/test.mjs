// `npm test [path…]`: everything CI runs first. `npm run test:unit`, `test:app`, `test:browser` and `test:slow` run one part of the suite.
import { accessSync, constants, statfsSync } from "node:fs";

import { ensureBuilt, ensureChromium, ensureInstalled, runOnProductNode } from "./setup.mjs";

const suites = {
  all: { projects: ["unit", "app", "browser", "program"], isOnBuild: true },
  unit: { projects: ["unit"], environment: { TEST_POSTGRES: "off" } },
  app: { projects: ["app"], environment: { TEST_POSTGRES: "off" } },
  browser: { projects: ["browser"], isOnBuild: true, environment: { TEST_POSTGRES: "off" } },
  slow: { projects: ["slow", "postgres"], isOnBuild: true },
};

const [first = "", ...rest] = process.argv.slice(2);
const name = first in suites ? first : "all";
const paths = first in suites ? rest : process.argv.slice(2);
const { isOnBuild = false, environment } = suites[name];
// A path may belong to any project.
const hasPath = paths.some((path) => !path.startsWith("-"));
const projects = name === "all" && hasPath ? [] : suites[name].projects;

ensureInstalled();
if (isOnBuild) {
  ensureChromium();
  ensureBuilt();
}
runOnProductNode(
  ["node_modules/vitest/vitest.mjs", "run", ...projects.map((project) => `--project=${project}`), ...paths],
  { ...temporaryFolder(), ...environment },
);

/**
 * Tests make thousands of small databases, each of which waits for the disk to sync its writes. In memory that takes no time; a run
 * needs less than a gigabyte there.
 */
function temporaryFolder() {
  const memory = "/dev/shm";
  if (process.env.TMPDIR !== undefined || process.platform !== "linux") return {};
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > 4_000_000_000 ? { TMPDIR: memory } : {};
  } catch {
    return {};
  }
}
