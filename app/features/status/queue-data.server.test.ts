import { expect, test } from "vitest";

import { insertJob, maxJobTries } from "#app/services/jobs/job-rows.server.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

import { listQueues } from "./queue-data.server.ts";

const now = 1_800_000_000_000;

describeOnEachDatabase("the queues", (makeDb) => {
  test("are counted by kind, with the time since which the oldest is due", async () => {
    const db = await makeDb();
    expect(await listQueues(db, now)).toEqual([]);
    for (const runAt of [now - 2_000, now - 1_000, now + 1_000])
      await insertJob(db, { kind: "mail", payload: 1, runAt }, now);
    await db
      .updateTable("job")
      .set({ leased_until: now + 1 })
      .where("run_at", "=", now - 2_000)
      .execute();
    await insertJob(db, { kind: "import", payload: 1, runAt: now - 9_000 }, now);
    await insertJob(db, { kind: "export", payload: 1, runAt: now - 9_000 }, now);
    const lastTry = { tries: maxJobTries, leased_until: now };
    await db.updateTable("job").set(lastTry).where("kind", "=", "import").execute();
    const runningTry = { tries: maxJobTries, leased_until: now + 1 };
    await db.updateTable("job").set(runningTry).where("kind", "=", "export").execute();
    const event = { id: "1", kind: "card.saved", owner_id: "ada", payload: "{}", created_at: now - 3_000 };
    await db.insertInto("event").values(event).execute();
    expect(await listQueues(db, now)).toEqual([
      { name: "export", waiting: 1, givenUp: 0, dueSince: undefined },
      { name: "import", waiting: 0, givenUp: 1, dueSince: undefined },
      { name: "mail", waiting: 3, givenUp: 0, dueSince: now - 1_000 },
      { name: "events", waiting: 1, givenUp: 0, dueSince: now - 3_000 },
    ]);
  });
});
