import pino from "pino";
import { expect, test } from "vitest";

import { createCheckRunner } from "./run-checks.server.ts";
import type { Check } from "./run-checks.server.ts";

const well: Check = async () => "well";
const allWell = { database: well, files: well, mail: well, jobs: well };

function quietLog() {
  const lines: { msg: string; check: string; err?: { message: string } }[] = [];
  return { lines, log: pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) }) };
}

test("reports a throwing check as failing and an unconfigured one as unset, logs the cause, and runs the others", async () => {
  const { log, lines } = quietLog();
  let isBroken = true;
  const runChecks = createCheckRunner(
    {
      ...allWell,
      mail: async () => "unset",
      files: async () => {
        if (isBroken) throw new Error("no room");
        return "well";
      },
      jobs: () => {
        throw new Error("at once");
      },
    },
    { log },
  );
  expect(await runChecks()).toEqual({ database: "well", files: "failing", mail: "unset", jobs: "failing" });
  expect(lines.map(({ check, err }) => [check, err?.message]).toSorted()).toEqual([
    ["files", "no room"],
    ["jobs", "at once"],
  ]);
  isBroken = false;
  expect((await runChecks()).files).toBe("well");
  expect(lines.at(-1)?.msg).toBe("self-check: files is working again");
});

test("reports a hanging check as failing and starts no second one", async () => {
  const { log } = quietLog();
  let begun = 0;
  const release = Promise.withResolvers<"well">();
  const runChecks = createCheckRunner(
    {
      ...allWell,
      database: () => {
        begun++;
        return release.promise;
      },
    },
    { log, limitMs: 20 },
  );
  for (let times = 0; times < 3; times++) expect((await runChecks()).database).toBe("failing");
  expect(begun).toBe(1);
  release.resolve("well");
  await new Promise(setImmediate);
  expect((await runChecks()).database).toBe("well");
  expect(begun).toBe(2);
});

test("gives up a check that never ends and starts a new one", async () => {
  const { log } = quietLog();
  let now = 0;
  let begun = 0;
  const runChecks = createCheckRunner(
    { ...allWell, database: () => (++begun === 1 ? Promise.withResolvers<"well">().promise : well()) },
    { log, limitMs: 10, giveUpAfterMs: 300_000, elapsed: () => now },
  );
  expect((await runChecks()).database).toBe("failing");
  now = 240_000;
  expect((await runChecks()).database).toBe("failing");
  now = 300_000;
  expect((await runChecks()).database).toBe("well");
});
