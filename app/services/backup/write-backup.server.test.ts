import { join } from "node:path";

import { expect, test } from "vitest";

import { transact } from "#app/services/database/database.server.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

import { writeBackup } from "./write-backup.server.ts";

test.each(listEngines())(
  "a backup beside writes has each acknowledged one, and is of one moment, on %s",
  async (engine) => {
    const { db, dataDir, databaseUrl } = await makeDatabase(engine);
    const config = { dataDir, databaseUrl, baseUrl: "https://cards.example" };
    const state = { isDone: false, acknowledged: 0 };
    const writing = (async () => {
      for (let n = 0; !state.isDone; n++) {
        // Both or neither.
        await transact(db, async (trx) => {
          await trx
            .insertInto("setting")
            .values({ name: `n${n}`, value: "x" })
            .execute();
          await trx
            .insertInto("storage")
            .values({ owner_id: `n${n}` })
            .execute();
        });
        state.acknowledged = n + 1;
      }
    })();
    await expect.poll(() => state.acknowledged).toBeGreaterThan(20);
    const before = state.acknowledged;
    const { tables } = await writeBackup(join(makeTempFolder(), "b.tar"), { config, now: 1 });
    state.isDone = true;
    await writing;
    expect(tables["setting"]).toBeGreaterThanOrEqual(before);
    expect(tables["setting"]).toBe(tables["storage"]);
  },
);
