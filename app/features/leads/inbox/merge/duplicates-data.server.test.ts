import { expect, test } from "vitest";

import { eraseLeads } from "#app/features/leads/data.server.ts";
import { createTextSigner } from "#app/services/base/signed-token.server.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { openAssetStore } from "#tests/support/storage/asset-store.ts";

import { markDistinct } from "./duplicates-data.server.ts";

const ownerId = "ada";

describeOnEachDatabase("different people", (makeDb) => {
  test("leave no pair of a lead that is erased at the same moment", async () => {
    const store = await openAssetStore(await makeDb());
    const { db } = store;
    const others = Array.from({ length: 20 }, (_, n) => `other-${n}`);
    for (const id of ["main", ...others])
      await db
        .insertInto("lead")
        .values({ id, owner_id: ownerId, card_id: "card-of-ada", created_at: 1, received_at: 1, expires_at: 1e12 })
        .execute();
    const deps = { ...store, sign: createTextSigner("secret") };
    await Promise.all(
      others.flatMap((id) => [
        markDistinct(db, { ownerId, id: "main", otherId: id }),
        eraseLeads(deps, { ownerId, ids: [id] }),
      ]),
    );
    expect(await db.selectFrom("lead_distinct").selectAll().execute()).toEqual([]);
  });
});
