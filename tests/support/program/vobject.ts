import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const python = ["/usr/bin/python3", "python3"].find(
  (path) => (path === "python3" || existsSync(path)) && spawnSync(path, ["-c", "import vobject"]).status === 0,
);

/** Where vobject isn't installed, its tests are skipped, except where the build requires all tests: there they fail. */
export const hasVobject = Boolean(python ?? process.env["CI"]);
if (!hasVobject) console.warn("SKIPPED: no file was read by vobject; Debian's package python3-vobject has it.");

/** What a Python script with vobject writes about its input, as JSON. */
export function readWithVobject(script: string, input: string): unknown {
  const options = { encoding: "utf8", env: { PYTHONIOENCODING: "utf-8" }, maxBuffer: 1e8 } as const;
  const { stdout, stderr } = spawnSync(python ?? "python3", ["-c", script], { input, ...options });
  if (stderr !== "") throw new Error(`vobject: ${stderr}`);
  return JSON.parse(stdout);
}
