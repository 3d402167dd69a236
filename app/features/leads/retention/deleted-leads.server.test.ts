import { expect, test } from "vitest";

import { addRecipient } from "#app/features/leads/services-data.server.ts";
import { deleteLeadsOfCard, deleteLeadsOfOwner } from "#app/features/leads/data.server.ts";
import { tagLeads } from "#app/features/leads/inbox/lead-data.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import { describeOnEachDatabase, waitForLocks } from "#tests/support/database/databases.ts";
import { insertLead, servicesText } from "#tests/support/database/leads.ts";
import { insertProfile, insertUser } from "#tests/support/database/seed.ts";
import { makeWriteServices } from "#tests/support/database/write-services.ts";

const [ownerId, now] = ["ada", Date.UTC(2026, 10, 23)];

const additions: Record<string, (db: Db) => Promise<unknown>> = {
  "an address": (db) => addRecipient(db, { ownerId, leadId: "lead-1", address: "got@crm.example", now }),
  "a tag": (db) => tagLeads(db, { ownerId, ids: ["lead-1"], tags: ["fair"] }),
};

const deletions: Record<string, (trx: Trx, cardId: string) => Promise<void>> = {
  card: deleteLeadsOfCard,
  account: (trx) => deleteLeadsOfOwner(trx, ownerId),
};

describeOnEachDatabase("leads that are deleted", (makeDb, engine) => {
  const cases = Object.keys(deletions).flatMap((what) => Object.keys(additions).map((added) => [what, added] as const));
  test.each(cases)("with the %s take along %s that was added at the same moment", async (what, added) => {
    const db = await makeDb();
    const services = await makeWriteServices(db, () => now);
    await insertUser(db, engine, ownerId);
    await insertProfile(db, ownerId);
    await insertLead(services, { id: "lead-1", ownerId, now, lead: {}, text: servicesText });
    const { card_id: cardId } = await db.selectFrom("lead").select("card_id").executeTakeFirstOrThrow();
    const changes: Promise<unknown>[] = [];
    await transact(db, async (trx) => {
      // Both wait for this lead, in this order. SQLite runs one after the other, as they came.
      await trx.updateTable("lead").set({ status: "won" }).execute();
      changes.push(additions[added]?.(db) ?? Promise.reject(new Error(added)));
      if (engine === "postgres") await waitForLocks(db, 1);
      changes.push(transact(db, async (other) => deletions[what]?.(other, cardId)));
      if (engine === "postgres") await waitForLocks(db, 2);
    });
    await Promise.all(changes);
    for (const table of ["lead", "lead_consent", "lead_tag", "lead_recipient"] as const)
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
  });
});
