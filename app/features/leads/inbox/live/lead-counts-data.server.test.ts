import { expect, test } from "vitest";

import { insertRows } from "#tests/support/database/account-rows.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

import { countUnlisted } from "./lead-counts-data.server.ts";

const since = 1_000_000_000;

describeOnEachDatabase("leads that a list doesn't have yet", (makeDb) => {
  async function open() {
    const db = await makeDb();
    const row = { owner_id: "ada", card_id: "card", created_at: since + 1, received_at: since + 1, expires_at: 0 };
    const insert = (id: string, lead: Record<string, unknown> = {}) =>
      insertRows({ db }, { lead: { ...row, id, ...lead } });
    const count = (ids: string[] = []) => countUnlisted(db, { ownerId: "ada", since, ids });
    return { insert, count };
  }

  test("are those of the inbox that came in later", async () => {
    const { insert, count } = await open();
    await insert("listed", { created_at: since, received_at: since });
    await insert("new");
    await insert("read", { read_at: since + 2 });
    await insert("spam", { quarantined_at: since + 1 });
    await insert("deleted", { deleted_at: since + 1 });
    await insert("merged", { merged_into: "new" });
    await insert("another owner's", { owner_id: "bob" });
    expect(await count()).toBe(2);
  });

  test("are also announced ones that a device had stored, each counted once", async () => {
    const { insert, count } = await open();
    await insert("new");
    await insert("offline", { created_at: since - 86_400_000 });
    await insert("long known", { created_at: since - 86_400_000, received_at: since - 86_400_000 });
    await insert("another owner's", { owner_id: "bob" });
    expect(await count(["new", "offline", "long known", "another owner's", "unknown"])).toBe(2);
  });

  test("are counted up to 100", async () => {
    const { insert, count } = await open();
    await Promise.all(Array.from({ length: 120 }, (_, n) => insert(`lead-${n}`)));
    expect(await count(["lead-1", "lead-119"])).toBe(100);
  });
});
