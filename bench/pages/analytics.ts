import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sql } from "kysely";

import {
  filterDimensions,
  filteredDimension,
  filteredLists,
  noCounts,
} from "#app/features/analytics/dimension-rules.ts";
import { noOrigin } from "#app/features/analytics/counting/visit-rules.ts";
import { openDatabase } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

import { browserUserAgent } from "../load.ts";
import { childCpuSeconds, cpuSeconds, median, startMeishi, waitFor } from "../program.ts";
import { atMost } from "../table.ts";
import type { Row } from "../table.ts";
import { onBothDatabases } from "./databases.ts";
import { signUp } from "./page-bytes.ts";
import { findServerPid } from "./stored-page.ts";

const events = 10_000_000;
const days = 90;
const rounds = 40;
/** The page as it is, of one page and of one source, each with a text that it must contain. */
const requests = [
  ["", "", "Most visits"],
  [" of one page", "&card=profile", "Filters (1)"],
  [" of one source", "&source=source-1", "Filters (1)"],
] as const;
const msPerDay = 86_400_000;

/**
 * /analytics over 10 million counted events of one owner in 90 days, compared with the 90 days before, on both
 * databases. The processor time, with that of PostgreSQL, varies less than the time until the response on a busy machine. */
export async function analyticsPage(): Promise<Row[]> {
  return onBothDatabases("/analytics", measure);
}

async function measure(label: string, environment: Record<string, string>): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "meishi-bench-"));
  const program = await startMeishi({ dataDir, environment: { ...environment, PLAN_FOR_EVERYONE: "premium" } });
  const { db, close } = await openDatabase({ dataDir, databaseUrl: environment["DATABASE_URL"] });
  try {
    const cookie = await signUp(program);
    const headers = { cookie, "user-agent": browserUserAgent };
    // The first visit creates the profile.
    await (await fetch(`${program.url}/profile`, { headers })).text();
    const { owner_id: ownerId } = await db
      .selectFrom("profile")
      .select("owner_id")
      .where("is_sample", "=", 0)
      .executeTakeFirstOrThrow();
    await addCounts(db, ownerId);
    // Otherwise autovacuum does it at some time of the measurement.
    if (environment["DATABASE_URL"]) await sql`vacuum analyze`.execute(db);
    // The program has closed the connection meanwhile.
    await waitFor(`${program.url}/robots.txt`);
    const serverPid = environment["DATABASE_URL"] ? await findServerPid(db) : 0;
    const cpu = () => cpuSeconds(program.pid) + (serverPid && childCpuSeconds(serverPid));
    const rows: Row[] = [];
    for (const [name, filter, content] of requests) {
      const times: number[] = [];
      let before = 0;
      for (let round = -10; round < rounds; round++) {
        if (round === 0) before = cpu();
        const started = performance.now();
        const response = await fetch(`${program.url}/analytics?range=90${filter}`, { headers });
        const text = await response.text();
        if (round >= 0) times.push(performance.now() - started);
        if (!text.includes(content)) throw new Error(`${response.url} responded with ${response.status}`);
      }
      const time = ((cpu() - before) / rounds) * 1000;
      rows.push({
        what: `/analytics${name}, 10 million events in 90 days, CPU, ${label}`,
        value: `${time.toFixed(0)} ms (${median(times).toFixed(0)} ms until the response)`,
        bar: atMost(50, time, "ms"),
      });
    }
    return rows;
  } finally {
    await close();
    await program.stop();
  }
}

/** Days of both periods with many different sources, countries and campaigns, and the hours of the last month behind them. */
async function addCounts(db: Db, ownerId: string): Promise<void> {
  const today = Math.floor(Date.now() / msPerDay);
  const visits = Math.round(events / days);
  for (let day = today - 2 * days + 1; day <= today; day++) {
    const rows = listAll(ownerId).map(([dimension, value, share]) => ({
      owner_id: ownerId,
      dimension,
      day,
      value,
      ...noCounts,
      visits: Math.round(visits * share),
      visitors: Math.round(visits * share * 0.7),
      saves: 9,
      clicks: 30,
    }));
    for (let at = 0; at < rows.length; at += 1_000)
      await db
        .insertInto("daily_count")
        .values(rows.slice(at, at + 1_000))
        .execute();
  }
  const hours = Array.from({ length: 30 * 24 }, (_, index) => today * 24 - index);
  for (const hour of hours) {
    const rows = Array.from({ length: 200 }, (_, index) => ({
      owner_id: ownerId,
      hour,
      subject: `profile:${ownerId}`,
      kind: "visit",
      target: "",
      ...noOrigin,
      referrer: `site-${index}.example`,
      n: 23,
      rolled: 23,
    }));
    await db.insertInto("hourly_count").values(rows).execute();
  }
}

type Value = [dimension: string, value: string, share: number];

/** With the lists of each page, link and source. */
function listAll(ownerId: string): Value[] {
  const values = listValues(ownerId);
  const of = (dimension: string) => values.filter(([name]) => name === dimension);
  const filtered = filterDimensions.flatMap((filter) =>
    of(filter).flatMap(([, filterValue, share]) =>
      filteredLists[filter].flatMap((list) =>
        of(list).map(([, value, part]): Value => [filteredDimension(list, filter, filterValue), value, share * part]),
      ),
    ),
  );
  return [...values, ...filtered];
}

function listValues(ownerId: string): Value[] {
  const many = (dimension: string, count: number): [string, string, number][] =>
    Array.from({ length: count }, (_, index) => [dimension, `${dimension}-${index}`, 1 / count]);
  return [
    ["all", "", 1],
    ["page", `profile:${ownerId}`, 1],
    ...many("page", 10),
    ...many("link", 16),
    ...many("source", 40),
    ...many("device", 3),
    ...many("country", 60).map(([dimension, , share], index): [string, string, number] => [
      dimension,
      countryOf(index),
      share,
    ]),
    ...many("referrer", 40),
    ...many("campaign", 10),
    ...Array.from({ length: 24 }, (_, hour): [string, string, number] => ["hour", String(hour), 1 / 24]),
  ];
}

/** Two letters, as a proxy sends them. */
function countryOf(index: number): string {
  return String.fromCharCode(65 + Math.floor(index / 26), 65 + (index % 26));
}
