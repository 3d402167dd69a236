import { setTimeout as pause } from "node:timers/promises";

import pino from "pino";
import { expect, test } from "vitest";

import { createLook } from "./look.server.ts";
import type { Check } from "./look.server.ts";

const well: Check = async () => "well";
const allWell = { database: well, files: well, mail: well, jobs: well };

function quietLog() {
  const lines: { msg: string; check: string; err?: { message: string } }[] = [];
  return { lines, log: pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) }) };
}

test("what is not set up is neither well nor failing", async () => {
  const { log, lines } = quietLog();
  const look = createLook({ ...allWell, mail: async () => "unset" }, { log });
  expect(await look()).toEqual({ database: "well", files: "well", mail: "unset", jobs: "well" });
  expect(lines).toEqual([]);
});

test("a check that throws, now or later, is failing, and the log has the cause; the others go on", async () => {
  const { log, lines } = quietLog();
  let isBroken = true;
  const look = createLook(
    {
      ...allWell,
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
  expect(await look()).toEqual({ database: "well", files: "failing", mail: "well", jobs: "failing" });
  expect(lines.map(({ check, err }) => [check, err?.message]).toSorted()).toEqual([
    ["files", "no room"],
    ["jobs", "at once"],
  ]);
  isBroken = false;
  expect((await look()).files).toBe("well");
  expect(lines.at(-1)?.msg).toBe("self-check: files is well again");
});

test("a check that hangs is failing after its time, and no second one is begun beside it", async () => {
  const { log } = quietLog();
  let begun = 0;
  const release = Promise.withResolvers<"well">();
  const look = createLook(
    {
      ...allWell,
      database: () => {
        begun++;
        return release.promise;
      },
    },
    { log, limitMs: 20 },
  );
  for (let times = 0; times < 3; times++) expect((await look()).database).toBe("failing");
  expect(begun).toBe(1);
  release.resolve("well");
  await pause(1);
  expect((await look()).database).toBe("well");
  expect(begun).toBe(2);
});

test("one that never ends is given up at last, so that it does not stand in the way of a healthy one", async () => {
  const { log } = quietLog();
  let now = 0;
  let begun = 0;
  const look = createLook(
    { ...allWell, database: () => (++begun === 1 ? Promise.withResolvers<"well">().promise : well()) },
    { log, limitMs: 10, giveUpAfterMs: 300_000, elapsed: () => now },
  );
  expect((await look()).database).toBe("failing");
  now = 240_000;
  expect((await look()).database).toBe("failing");
  now = 300_000;
  expect((await look()).database).toBe("well");
});
