import { formatNumber } from "#app/services/base/format.ts";
import { findPreferences } from "#app/services/preferences/account-preferences.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

import { ownerHourOf } from "#app/services/preferences/owner-days.ts";

const days = 30;

/** Short texts for lists: "34 visits, 5 saves in 30 days" by card ID, "12 clicks in 30 days" by link ID. Without a count, none. */
export type RecentMetrics = { cards: Record<string, string>; links: Record<string, string> };

/** The last 30 days of all cards and links, as on the analytics page, but without the last minute. `now`: epoch milliseconds. */
export async function readRecentMetrics(
  db: Db,
  { ownerId, now }: { ownerId: string; now: number },
): Promise<RecentMetrics> {
  const { timeZone } = await findPreferences(db, ownerId);
  const rows = await db
    .selectFrom("daily_count")
    .select(["dimension", "value"])
    .select(({ fn }) => (["visits", "saves", "clicks"] as const).map((measure) => fn.sum<number>(measure).as(measure)))
    .where("owner_id", "=", ownerId)
    .where("dimension", "in", ["page", "link"])
    .where("day", ">", ownerHourOf(now, timeZone).day - days)
    .groupBy(["dimension", "value"])
    .execute();
  const metrics: RecentMetrics = { cards: {}, links: {} };
  for (const { dimension, value, visits, saves, clicks } of rows) {
    if (dimension === "link") metrics.links[value] = format([[clicks, "click"]]);
    else if (value.startsWith("card:"))
      metrics.cards[value.slice("card:".length)] = format([
        [visits, "visit"],
        [saves, "save"],
      ]);
  }
  return metrics;
}

function format(counts: [n: number, unit: string][]): string {
  const parts = counts.filter(([n]) => n > 0).map(([n, unit]) => `${formatNumber(n)} ${unit}${n === 1 ? "" : "s"}`);
  return parts.length === 0 ? "" : `${parts.join(", ")} in ${days} days`;
}
