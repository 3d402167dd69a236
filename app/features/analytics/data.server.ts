import { findPublicCard } from "#app/features/cards/data.server.ts";
import { findProfile } from "#app/features/profile/data.server.ts";
import { transactWithoutFsync } from "#app/services/database/database.server.ts";
import type { Db, OpenDatabase, Trx } from "#app/services/database/database.server.ts";
import type { CountEvent } from "#app/services/http/context.ts";

const msPerDay = 86_400_000;

/** Adds counts to the rows of the UTC day on which they are written, in one transaction. */
export async function addToTallies(
  database: Pick<OpenDatabase, "db" | "engine">,
  events: (CountEvent & { n: number })[],
  now: number,
): Promise<void> {
  const day = Math.floor(now / msPerDay);
  // All nodes write in the same order, so two that write the same rows wait for each other instead of deadlocking.
  const rows = events
    .map(({ subject, kind, source, target, n }) => ({ subject, kind, day, source, target, n }))
    .toSorted((a, b) => tallyKey(a).localeCompare(tallyKey(b)));
  await transactWithoutFsync(database, async (trx) => {
    for (let at = 0; at < rows.length; at += 100) {
      await trx
        .insertInto("tally")
        .values(rows.slice(at, at + 100))
        .onConflict((conflict) =>
          conflict
            .columns(["subject", "kind", "day", "source", "target"])
            .doUpdateSet((expression) => ({ n: expression("tally.n", "+", expression.ref("excluded.n")) })),
        )
        .execute();
    }
  });
}

function tallyKey({ subject, kind, source, target }: CountEvent): string {
  return `${subject}|${kind}|${source}|${target}`;
}

/** Deletes the counts of a profile and its cards. Call it before the cards are deleted, in the same transaction. */
export async function deleteTallies(trx: Trx, ownerId: string): Promise<void> {
  const cards = await trx.selectFrom("card").select("id").where("owner_id", "=", ownerId).execute();
  const subjects = [`profile:${ownerId}`, ...cards.map(({ id }) => `card:${id}`)];
  for (const subject of subjects) await trx.deleteFrom("tally").where("subject", "=", subject).execute();
}

/** The owner of the link that a visitor reports to have followed; undefined when no public page has that link. */
export async function findLinkOwner(
  db: Db,
  { subject, target }: { subject: string; target: string },
): Promise<string | undefined> {
  const [kind, id = ""] = subject.split(":");
  if (kind === "card") {
    const found = await findPublicCard(db, id);
    return found?.card.links.some((link) => link.id === target) ? found.card.ownerId : undefined;
  }
  const profile = await findProfile(db, id);
  return profile?.links.some((link) => link.on && link.id === target) ? profile.ownerId : undefined;
}
