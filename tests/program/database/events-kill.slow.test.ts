import { execFile } from "node:child_process";
import { join } from "node:path";

import { expect, test } from "vitest";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { describeOnEachDatabase, makeDatabase } from "#tests/support/database/databases.ts";
import type { TestDatabase } from "#tests/support/database/databases.ts";
import { killPoints, openNode } from "#tests/support/program/event-writer.ts";
import type { KillPoint } from "#tests/support/program/event-writer.ts";

const writer = join(import.meta.dirname, "../../support/program/event-writer.ts");
const kills = 100;
const concurrency = 2;
/** Longer than a job's lease and its first back-offs. */
const laterMs = 60 * 60_000;

describeOnEachDatabase("an event whose process is killed", (_, engine) => {
  test(`reaches the live process and is handled once, in ${kills} times kill -9`, async () => {
    const database = await makeDatabase(engine);
    const received: string[] = [];
    const alive = await openNode(database);
    cleanUpAfterTest(alive.stop);
    alive.events.subscribe({
      name: "received",
      kinds: ["card.saved"],
      everywhere: (event) => void received.push("cardId" in event ? event.cardId : ""),
      missed: () => undefined,
    });
    alive.events.start();

    const numbers = Array.from({ length: kills }, (_, index) => String(index));
    const waiting = [...numbers];
    const runLane = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        await writeAndDie(database, next, killPoints[Number(next) % killPoints.length] ?? "after the commit");
    };
    await Promise.all(Array.from({ length: concurrency }, runLane));
    const written = await alive.db.selectFrom("setting").select("name").execute();
    expect(new Set(written.map(({ name }) => name))).toEqual(new Set(numbers));

    await expect.poll(() => new Set(received)).toEqual(new Set(numbers));
    await expect.poll(() => alive.db.selectFrom("event").selectAll().execute()).toEqual([]);
    const later = await openNode({ ...database, clock: () => Date.now() + laterMs });
    cleanUpAfterTest(later.stop);
    await later.jobs.runDue();
    const counts = await alive.db.selectFrom("tally").select("n").where("kind", "=", "event").execute();
    expect(counts).toEqual(numbers.map(() => ({ n: 1 })));
    expect(await alive.db.selectFrom("job").selectAll().execute()).toEqual([]);
  });
});

/** Runs a writer until it has killed itself. */
async function writeAndDie({ dataDir, databaseUrl }: TestDatabase, number: string, killPoint: KillPoint) {
  const options = JSON.stringify({ dataDir, databaseUrl, number, killPoint });
  const { signal, stderr } = await new Promise<{ signal: string | undefined; stderr: string }>((resolve) => {
    const env = { ...process.env, NODE_COMPILE_CACHE: join(dataDir, "compile-cache") };
    execFile(process.execPath, [writer, options], { env }, (error, _, stderr) =>
      resolve({ signal: error?.signal ?? undefined, stderr }),
    );
  });
  expect({ signal, stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
}
