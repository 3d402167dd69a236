import { findPublicCard } from "#app/features/cards/data.server.ts";
import { findProfile } from "#app/features/profile/data.server.ts";
import type { CountEvent } from "#app/services/context.ts";
import { transactSoon } from "#app/services/database.server.ts";
import type { Db, OpenDatabase, Trx } from "#app/services/database.server.ts";

const MS_PER_DAY = 86_400_000;

/** Adds what was counted to the rows of the day on which it is written, all or nothing. */
export async function addToTallies(
  database: Pick<OpenDatabase, "db" | "engine">,
  events: (CountEvent & { n: number })[],
  now: number,
): Promise<void> {
  const day = Math.floor(now / MS_PER_DAY);
  // In one order everywhere: two nodes that write the same rows at once wait for each other instead of locking each other out.
  const rows = events
    .map(({ subject, kind, source, target, n }) => ({ subject, kind, day, source, target, n }))
    .toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)));
  await transactSoon(database, async (trx) => {
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

function keyOf({ subject, kind, source, target }: CountEvent): string {
  return `${subject}|${kind}|${source}|${target}`;
}

/** For whoever deletes an account, in the same transaction and before the cards: what was counted of the profile and of them. */
export async function removeTallies(trx: Trx, ownerId: string): Promise<void> {
  const cards = await trx.selectFrom("card").select("id").where("user_id", "=", ownerId).execute();
  const subjects = [`profile:${ownerId}`, ...cards.map(({ id }) => `card:${id}`)];
  for (const subject of subjects) await trx.deleteFrom("tally").where("subject", "=", subject).execute();
}

/** Who owns the link that a visitor says they followed; undefined when no public page has it. */
export async function findLinkOwner(
  db: Db,
  { subject, target }: { subject: string; target: string },
): Promise<string | undefined> {
  const [kind, id = ""] = subject.split(":");
  if (kind === "card") {
    const found = await findPublicCard(db, id);
    return found?.card.links.some((link) => link.id === target) ? found.card.userId : undefined;
  }
  const profile = await findProfile(db, id);
  return profile?.links.some((link) => link.on && link.id === target) ? profile.userId : undefined;
}
