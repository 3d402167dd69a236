import { sql } from "kysely";
import { expect, test } from "vitest";

import { describeOnEachDatabase, explain } from "#tests/support/database/databases.ts";

import { listFollowUps, queryFollowUps } from "./data.server.ts";

const [ownerId, now] = ["ada", Date.UTC(2026, 10, 23)];

describeOnEachDatabase("follow-up dates", (makeDb, engine) => {
  test("are read from their index, in its order, however many leads there are", async () => {
    const db = await makeDb();
    const rows = Array.from({ length: 2_000 }, (_, n) => ({
      id: `lead-${n}`,
      owner_id: ownerId,
      card_id: "card",
      follow_up: n % 100 === 0 ? "2026-12-01" : "",
      created_at: n,
      received_at: n,
      expires_at: now,
    }));
    for (let at = 0; at < rows.length; at += 500)
      await db
        .insertInto("lead")
        .values(rows.slice(at, at + 500))
        .execute();
    await sql`analyze`.execute(db);
    expect(await listFollowUps(db, { ownerId, now })).toHaveLength(20);
    expect(await explain(db, engine, queryFollowUps(db, { ownerId, now }))).toContain("lead_follow_up");
  });
});
