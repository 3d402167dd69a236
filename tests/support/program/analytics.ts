import { filteredDimension, filteredLists, noCounts } from "#app/features/analytics/dimension-rules.ts";
import type { Counts, DailyCount, Dimension } from "#app/features/analytics/dimension-rules.ts";
import { weekdayOf } from "#app/services/preferences/owner-days.ts";

import { withDatabase } from "./database.ts";
import type { Program } from "./program.ts";

const columns = "owner_id, dimension, day, value, visits, visitors, saves, clicks, wallets, leads";

/** Counts of many days until today, with every source, device and country, as roll-ups write them. */
export function insertAnalytics({ dataDir }: Pick<Program, "dataDir">, { ownerId, card, days }: AnalyticsOptions) {
  const today = Math.floor(Date.now() / 86_400_000);
  withDatabase(dataDir, (database) => {
    const insert = database.prepare(`insert into daily_count (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    database.exec("begin");
    for (let day = today - days + 1; day <= today; day++) {
      const visits = Math.round(20 + 12 * Math.sin(day / 2.3) + 8 * Math.sin(day / 11));
      const add = (dimension: DailyCount["dimension"], value: string, part: number) => {
        const counts: Counts = {
          ...noCounts,
          visits: Math.round(visits * part),
          clicks: Math.round((visits * part) / 3),
        };
        const { saves = Math.round(counts.visits / 8), visitors = Math.round(counts.visits * 0.8) } = {};
        insert.run(ownerId, dimension, day, value, counts.visits, visitors, saves, counts.clicks, 0, 0);
      };
      add("all", "", 1);
      const values = listValues(ownerId, card);
      for (const [dimension, list] of Object.entries(values))
        list.forEach((value, index) => add(dimension as Dimension, value, 1 / 2 ** (index + 1)));
      for (const list of filteredLists.page)
        values[list].forEach((value, index) =>
          add(filteredDimension(list, "page", `card:${card}`), value, 1 / 2 ** (index + 2)),
        );
      for (const hour of [8, 9, 12, 15, 21]) add("hour", String(weekdayOf(day) * 24 + hour), 1 / (30 - hour));
    }
    database.exec("commit");
  });
}

type AnalyticsOptions = { ownerId: string; card: string; days: number };

const listValues = (ownerId: string, card: string) => ({
  page: [`card:${card}`, `profile:${ownerId}`, "card:deleted"],
  link: ["removed"],
  source: ["qr", "link", "", "signature", "news.example", "print", "nfc", "wallet", "background"],
  device: ["phone", "desktop", "tablet"],
  country: ["DE", "US", "JP", "BR"],
  referrer: ["news.example", "a-very-long-name-of-a-website-that-nobody-can-read-at-once.example"],
  campaign: ["newsletter / email / spring"],
});
