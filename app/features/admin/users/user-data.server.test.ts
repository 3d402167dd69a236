import { expect, test } from "vitest";

import { createAuthTables } from "#app/services/auth/better-auth.server.ts";
import type { Db, Engine } from "#app/services/database/database.server.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

import { listUsers } from "./user-data.server.ts";

type Person = { id: string; email?: string; name?: string; handle?: string; at?: string };

async function addUsers({ db, engine }: { db: Db; engine: Engine }, people: readonly Person[]) {
  await createAuthTables(db, engine);
  for (const { id, email = `${id}@example.com`, name, handle, at = "2026-01-01T00:00:00.000Z" } of people) {
    const times = { createdAt: at, updatedAt: at };
    await db
      .insertInto("user" as "setting")
      .values({ id, email, name: id, emailVerified: engine === "sqlite" ? 1 : true, ...times } as never)
      .execute();
    const profile = { owner_id: id, display_name: name ?? "", bio: "", created_at: 1, updated_at: 1 };
    if (name !== undefined) await db.insertInto("profile").values(profile).execute();
    if (handle !== undefined)
      await db.insertInto("handle").values({ handle, owner_id: id, is_current: 1, created_at: 1 }).execute();
  }
}

describeOnEachDatabase("the list of users", (makeDb, engine) => {
  const find = async (db: Db, search: string, options: { after?: string; limit?: number } = {}) => {
    const { after, limit = 50 } = options;
    const { users, next } = await listUsers({ db, engine }, { search, after, limit, now: 0, premium: "granted" });
    return { ids: users.map(({ id }) => id), next };
  };

  test("goes through accounts of the same time one by one, each once", async () => {
    const db = await makeDb();
    const ids = Array.from({ length: 7 }, (_, at) => `user-${at}`);
    await addUsers({ db, engine }, [...ids.map((id) => ({ id })), { id: "newest", at: "2026-02-01T00:00:00.000Z" }]);
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await find(db, "", { limit: 2, ...(after !== undefined && { after }) });
      seen.push(...page.ids);
      after = page.next;
    } while (after !== undefined);
    expect(seen).toEqual(["newest", ...ids.toReversed()]);
    expect(await find(db, "", { after: "gone" })).toEqual({ ids: [], next: undefined });
  });

  test("finds parts of emails, names and handles, in any case", async () => {
    const db = await makeDb();
    await addUsers({ db, engine }, [
      { id: "a", email: "ada@example.com", name: "Ada Lovelace", handle: "countess" },
      { id: "b", email: "b_b@example.com", name: "50% Ölwechsel" },
      { id: "c", email: "bxb@example.com", name: "ليلى الحسن" },
      { id: "d", email: "d@example.com", name: String.raw`C:\Dora's "shop"` },
    ]);
    for (const [search, ids] of Object.entries({
      LOVE: ["a"],
      unte: ["a"],
      "ADA@": ["a"],
      b_b: ["b"],
      "0%": ["b"],
      "%": ["b"],
      ölw: ["b"],
      ÖLWECHSEL: ["b"],
      ليلى: ["c"],
      "\\": ["d"],
      "dora's \"": ["d"],
      "' or 1=1 --": [],
      example: ["d", "c", "b", "a"],
    }))
      expect((await find(db, search)).ids, search).toEqual(ids);
  });
});
