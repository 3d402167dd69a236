import { expect, test } from "vitest";

import { describeOnEachDatabase } from "#tests/support/database/databases.ts";

import { readLeadPages } from "./lead-pages-data.server.ts";

describeOnEachDatabase("an export", (makeDb) => {
  test("has the leads that its address names, whatever else is in it", async () => {
    const db = await makeDb();
    const lead = { owner_id: "ada", card_id: "card", created_at: 1, received_at: 1, expires_at: 2 };
    const rows = ["a", "b", "c"].map((id) => ({ id, ...lead }));
    await db.insertInto("lead").values(rows).execute();
    const read = async (query: string) => {
      const pages = readLeadPages(db, { ownerId: "ada", query: new URLSearchParams(query), now: 0 });
      const ids: string[] = [];
      for await (const leads of pages) ids.push(...leads.map(({ id }) => id));
      return ids.toSorted();
    };
    expect(await read("")).toEqual(["a", "b", "c"]);
    expect(await read("id=a&id=c&id=a&id=none")).toEqual(["a", "c"]);
    // The tag that is typed for the selected leads isn't theirs yet.
    expect(await read("id=a&id=b&tag=Fair")).toEqual(["a", "b"]);
    expect(await read("tag=Fair")).toEqual([]);
    expect(await read("id=a%00&id=%00&id=b")).toEqual(["b"]);
    for (const none of ["id=", "id=%00", "id=none"]) expect(await read(none), none).toEqual([]);
    expect(await read("q=%00&tag=%00&card=%00&source=%00&from=%00")).toEqual(["a", "b", "c"]);
  });
});
