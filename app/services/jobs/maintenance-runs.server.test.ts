import { expect, test } from "vitest";

import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

import { findTaskRuns, saveTaskRuns } from "./maintenance-runs.server.ts";

describeOnEachDatabase("the last runs of maintenance tasks", (makeDb) => {
  test("replace earlier ones, and keep those that other processes store at the same time", async () => {
    const db = await makeDb();
    expect(await findTaskRuns(db)).toEqual({});
    const names = ["limits", "mails", "pages", "files"];
    await Promise.all(names.map((name, ms) => saveTaskRuns(db, { [name]: { at: 1, ms } })));
    await saveTaskRuns(db, { mails: { at: 2, ms: 7, rows: 3 }, files: { at: 2, ms: 8, error: "no answer" } });
    expect(await findTaskRuns(db)).toEqual({
      limits: { at: 1, ms: 0 },
      mails: { at: 2, ms: 7, rows: 3 },
      pages: { at: 1, ms: 2 },
      files: { at: 2, ms: 8, error: "no answer" },
    });
  });
});
