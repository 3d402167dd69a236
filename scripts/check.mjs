// `npm run check`: types, lint, format, dead code, architecture. Runs all of them, then lists those that failed.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

import { ensureInstalled, productNode, root } from "./setup.mjs";

ensureInstalled();
const bin = (name) => join(root, "node_modules/.bin", name);
const checks = [
  { name: "types", command: bin("react-router"), args: ["typegen"] },
  { name: "types", command: bin("tsc"), args: ["--noEmit"] },
  { name: "lint", command: bin("oxlint"), args: ["--type-aware", "--deny-warnings"] },
  { name: "format", command: bin("oxfmt"), args: ["--check"] },
  { name: "dead code", command: bin("knip"), args: [] },
  {
    name: "architecture",
    command: productNode,
    args: ["node_modules/vitest/vitest.mjs", "run", "--project=unit", "tests/architecture.test.ts"],
  },
];
const path = `${join(root, "node_modules/.bin")}:${process.env.PATH}`;
const failed = checks.filter(({ name, command, args }) => {
  console.log(`\n${name}: ${command.slice(root.length)} ${args.join(" ")}`);
  return (
    spawnSync(command, args, { cwd: root, stdio: "inherit", env: { ...process.env, PATH: path, TEST_POSTGRES: "off" } })
      .status !== 0
  );
});
if (failed.length > 0) {
  console.error(`\nFailed: ${[...new Set(failed.map(({ name }) => name))].join(", ")}`);
  process.exit(1);
}
console.log("\nAll checks passed.");
