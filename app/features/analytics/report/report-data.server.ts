import { sql } from "kysely";
import { z } from "zod";

import { measures, sumByDimension } from "#app/features/analytics/dimension-rules.ts";
import { ownerHourOf } from "#app/services/preferences/owner-days.ts";
import { subscriptionStatus } from "#app/features/billing/data.server.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import type { Db } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { dayCountsOf, sourcesOf, storedLists } from "./filter-rules.ts";
import type { ReportFilter, StoredCounts } from "./filter-rules.ts";
import type { Range } from "./range-rules.ts";
import { buildReport, scannedSources } from "./report-rules.ts";
import type { Report, ReportCount } from "./report-rules.ts";

/** What a report needs to know of an owner. */
export type ReportOwner = {
  ownerId: string;
  plan: Plan;
  timeZone: string;
  locale: string;
  hasWeeklyMail: boolean;
  /** In the owner's time zone. */
  today: number;
  /** The first day with counts; undefined before the first one. */
  firstDay: number | undefined;
  /** Labels and URLs of the profile's links by their IDs. */
  links: ReportLink[];
  cards: ReportCard[];
};

export type ReportCard = { id: string; name: string; links: ReportLink[] };

export type ReportLink = { id: string; label: string; url: string };

const linksSchema = z.array(
  z
    .object({ id: z.string(), label: z.string().optional(), name: z.string().optional(), url: z.string() })
    .transform(({ id, label, name, url }): ReportLink => ({ id, url, label: label ?? name ?? "" })),
);

type ReportServices = Pick<Services, "db" | "clock" | "config">;

/** One query, because the page of a report has few: a row for each card, or one without a card. */
export async function readReportOwner({ db, clock, config }: ReportServices, ownerId: string): Promise<ReportOwner> {
  const rows = await db
    .selectFrom("profile")
    .leftJoin("subscription", "subscription.owner_id", "profile.owner_id")
    .leftJoin("account_preference", "account_preference.owner_id", "profile.owner_id")
    .leftJoin("weekly_mail", "weekly_mail.owner_id", "profile.owner_id")
    .leftJoin("card", "card.owner_id", "profile.owner_id")
    .select(["subscription.plan", "subscription.ends_at", "profile.links"])
    .select(["account_preference.time_zone", "account_preference.locale", "weekly_mail.monday"])
    .select(["card.id as card_id", "card.card_name", "card.professional_links"])
    .select((expression) =>
      expression
        .selectFrom("daily_count")
        .select(({ fn }) => fn.min("day").as("day"))
        .where("owner_id", "=", ownerId)
        .where("dimension", "=", "all")
        .as("first_day"),
    )
    .where("profile.owner_id", "=", ownerId)
    .execute();
  const [row] = rows;
  const now = clock();
  const timeZone = row?.time_zone ?? "";
  const subscription = row && { plan: row.plan, ends_at: row.ends_at };
  return {
    ownerId,
    plan: subscriptionStatus(subscription, { now, premium: config.premium }).plan,
    timeZone,
    locale: row?.locale ?? "",
    hasWeeklyMail: typeof row?.monday === "number",
    today: ownerHourOf(now, timeZone).day,
    firstDay: row?.first_day ?? undefined,
    links: row ? linksSchema.parse(JSON.parse(row.links)) : [],
    cards: rows.flatMap(({ card_id: id, card_name: name, professional_links: links }) =>
      id === null ? [] : [{ id, name: name ?? "", links: linksSchema.safeParse(JSON.parse(links ?? "[]")).data ?? [] }],
    ),
  };
}

/** The counts of a range, up to the last second. Two queries, whatever the number of visits; all zero for a filter that isn't stored. */
export async function readReport(
  db: Db,
  { ownerId, timeZone }: Pick<ReportOwner, "ownerId" | "timeZone">,
  { range, filter }: { range: Range; filter: ReportFilter },
): Promise<Report> {
  const days = dayCountsOf(filter);
  if (!days) return buildReport(range, []);
  const lists = storedLists(filter);
  const sources = sourcesOf(filter);
  const rows = await readDays(db, { ownerId, range, days, sources, lists: [...lists.keys()] });
  const notes = rows
    .filter(({ dimension }) => dimension === noteDimension)
    .map(({ day, value, visits: slot }) => ({ id: `${day}-${slot}`, day, text: value }));
  const recent = await readRecent(db, { ownerId, timeZone });
  const from = range.before?.from ?? range.from;
  const recentScans = recent
    .filter(({ dimension, value }) => dimension === sources && scannedSources.includes(value))
    .map((row) => ({ ...row, dimension: scanDimension }));
  const counts = [...rows, ...recent, ...recentScans].flatMap(({ dimension, ...row }): ReportCount[] => {
    if (dimension === scanDimension) return [{ ...row, dimension }];
    if (dimension === days.dimension && row.value === days.value) return [{ ...row, dimension: "all" }];
    const list = lists.get(dimension);
    return list ? [{ ...row, dimension: list }] : [];
  });
  return buildReport(
    range,
    counts.filter(
      ({ dimension, day }) =>
        day <= range.to && day >= (dimension === "all" || dimension === "scan" ? from : range.from),
    ),
    notes,
  );
}

/** In the result of `readDays` alone: the text of a note, with its number as the visits. One query less for a page that has few. */
const noteDimension = "note";

/** In the result of `readDays` alone: the visits of a day by a scanned code. */
const scanDimension = "scan";

type DaysQuery = { ownerId: string; range: Range; days: StoredCounts; sources: string | undefined; lists: string[] };

/** Days of both periods, with the scans, the notes of the range, and the sums of each list, on the first day of the range. */
async function readDays(db: Db, { ownerId, range, days, sources, lists }: DaysQuery) {
  const perDay = db
    .selectFrom("daily_count")
    .select(["dimension", "day", "value", ...measures])
    .where("owner_id", "=", ownerId)
    .where("dimension", "=", days.dimension)
    .where("value", "=", days.value)
    .where("day", ">=", range.before?.from ?? range.from)
    .where("day", "<=", range.to)
    .unionAll(
      db
        .selectFrom("day_note")
        .select([sql<string>`${noteDimension}`.as("dimension"), "day", "text as value", "slot as visits"])
        .select(measures.slice(1).map((measure) => sql<number>`0`.as(measure)))
        .where("owner_id", "=", ownerId)
        .where("day", ">=", range.from)
        .where("day", "<=", range.to),
    );
  const withScans =
    sources === undefined ? perDay : perDay.unionAll(selectScans(db, { ownerId, range, dimension: sources }));
  if (lists.length === 0) return withScans.execute();
  return withScans
    .unionAll(
      db
        .selectFrom("daily_count")
        .select(["dimension", sql<number>`cast(${range.from} as integer)`.as("day"), "value"])
        .select(({ fn }) => measures.map((measure) => fn.sum<number>(measure).as(measure)))
        .where("owner_id", "=", ownerId)
        .where("dimension", "in", lists)
        .where("day", ">=", range.from)
        .where("day", "<=", range.to)
        .groupBy(["dimension", "value"]),
    )
    .execute();
}

function selectScans(db: Db, { ownerId, range, dimension }: { ownerId: string; range: Range; dimension: string }) {
  return db
    .selectFrom("daily_count")
    .select([sql<string>`${scanDimension}`.as("dimension"), "day", sql<string>`''`.as("value")])
    .select(({ fn }) => measures.map((measure) => fn.sum<number>(measure).as(measure)))
    .where("owner_id", "=", ownerId)
    .where("dimension", "=", dimension)
    .where("value", "in", scannedSources)
    .where("day", ">=", range.before?.from ?? range.from)
    .where("day", "<=", range.to)
    .groupBy("day");
}

/** What isn't rolled up yet: the last minute, usually. */
async function readRecent(db: Db, { ownerId, timeZone }: Pick<ReportOwner, "ownerId" | "timeZone">) {
  const rows = await db
    .selectFrom("hourly_count")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .whereRef("n", ">", "rolled")
    .limit(maxRecent)
    .execute();
  return sumByDimension(rows.map((row) => ({ ...row, timeZone })));
}

/** Only a process whose roll-ups fail has more. */
const maxRecent = 5_000;
