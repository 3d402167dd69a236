import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { sql } from "kysely";

import type { Db } from "#app/services/database/database.server.ts";

import { createDatabase, onBothDatabases } from "./databases.ts";
import { load } from "../load.ts";
import type { Load } from "../load.ts";
import { addProfiles } from "./profiles.ts";
import { childCpuSeconds, median, startMeishi } from "../program.ts";
import type { Program } from "../program.ts";
import { atMost } from "../table.ts";
import type { Row } from "../table.ts";

/** The first owners have stored pages, and those after them none. */
const stored = { from: 0, count: 100_000 };
const unstored = { from: stored.count, count: 30_000 };
const rounds = 3;

/**
 * Public pages from the table `rendered_page`, each of them requested once in random order, so that none is in memory, against such
 * pages that are rendered, and then stored, because the table doesn't have them. On SQLite and on PostgreSQL, whose own processor time is measured separately.
 */
export async function storedPage(wrk: string): Promise<Row[]> {
  return onBothDatabases("stored page", (label, environment) =>
    withPages({ label, environment }, (pages) => measure(wrk, pages)),
  );
}

type Engine = { label: string; environment: Record<string, string> };
/** `serverPid` is PostgreSQL's; 0 for SQLite. */
type Pages = { label: string; program: Program; serverPid: number };

async function withPages({ label, environment }: Engine, use: (pages: Pages) => Promise<Row[]>): Promise<Row[]> {
  const { dataDir, db, close } = await createDatabase(environment["DATABASE_URL"]);
  await addProfiles(db, stored.count + unstored.count);
  const program = await startMeishi({ dataDir, environment });
  try {
    await storeFirstPage(program, db);
    await copyFirstPage(db);
    const serverPid = environment["DATABASE_URL"] ? await findServerPid(db) : 0;
    if (serverPid) await sql`vacuum analyze`.execute(db);
    return await use({ label, program, serverPid });
  } finally {
    await close();
    await program.stop();
  }
}

/** Renders a page, which the program then stores. */
async function storeFirstPage({ url }: Program, db: Db): Promise<void> {
  const headers = { "accept-encoding": "br" };
  for (let tries = 0; tries < 100; tries++) {
    await (await fetch(`${url}/u/owner-0`, { headers })).text();
    const row = await db.selectFrom("rendered_page").select("path").where("path", "=", "/u/owner-0").executeTakeFirst();
    if (row) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("The program stores no page.");
}

/** Stores a copy of the first owner's page for each of the others. */
async function copyFirstPage(db: Db): Promise<void> {
  await sql`insert into rendered_page
    select '/u/' || profile.owner_id, profile.owner_id, page.pages_version, page.build_id, page.etag, page.body, page.bytes,
      page.options, page.rendered_at
    from rendered_page as page join profile on profile.owner_id like 'owner-%' and profile.owner_id <> 'owner-0'
      and cast(substr(profile.owner_id, 7) as integer) < ${stored.count}
    where page.path = '/u/owner-0'`.execute(db);
  const { n } = await db
    .selectFrom("rendered_page")
    .select(sql<number>`count(*)`.as("n"))
    .executeTakeFirstOrThrow();
  if (n < stored.count) throw new Error(`Only ${n} pages are stored.`);
}

/** The process of PostgreSQL whose children serve connections. */
export async function findServerPid(db: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${rows[0]?.pid}/status`, "utf8"))?.[1]);
}

async function measure(wrk: string, { label, program, serverPid }: Pages): Promise<Row[]> {
  const loads: Record<"stored" | "rendered", Load[]> = { stored: [], rendered: [] };
  const serverMicroseconds: number[] = [];
  const headers = { "accept-encoding": "gzip, deflate, br, zstd" };
  const target = { url: program.url, pid: program.pid, headers };
  for (let round = 0; round < rounds; round++) {
    const before = serverPid && childCpuSeconds(serverPid);
    const fromTable = await load(wrk, { ...target, script: writeScript(program.dataDir, { round, owners: stored }) });
    if (serverPid) serverMicroseconds.push(((childCpuSeconds(serverPid) - before) / fromTable.requests) * 1e6);
    loads.stored.push(fromTable);
    loads.rendered.push(
      await load(wrk, { ...target, script: writeScript(program.dataDir, { round, owners: unstored }) }),
    );
  }
  const speed = (name: keyof typeof loads) => median(loads[name].map((one) => one.requestsPerSecond));
  const cpu = (name: keyof typeof loads) => median(loads[name].map((one) => one.cpuMicroseconds));
  const show = (name: keyof typeof loads) =>
    `${Math.round(speed(name)).toLocaleString("en")} requests/s, ${cpu(name).toFixed(0)} µs CPU each`;
  const ratio = cpu("stored") / cpu("rendered");
  return [
    { what: `stored page, 100,000 profiles, ${label}`, value: show("stored") },
    { what: `the same page, rendered each time, ${label}`, value: show("rendered") },
    { what: `stored vs. rendered page, CPU, ${label}`, value: ratio.toFixed(3), bar: atMost(0.15, ratio) },
    ...(serverPid
      ? [{ what: "PostgreSQL's own CPU for a stored page", value: `${median(serverMicroseconds).toFixed(0)} µs` }]
      : []),
  ];
}

type Script = { round: number; owners: { from: number; count: number } };

/** A script for wrk that requests the pages in random order, each once, starting at another one in each round. */
function writeScript(folder: string, { round, owners: { from, count } }: Script): string {
  const path = join(folder, "paths.lua");
  // A prime number, so that each page comes once.
  writeFileSync(
    path,
    `local n = ${Math.floor((round * count) / rounds)}
request = function()
  n = n + 1
  return wrk.format("GET", "/u/owner-" .. ${from} + (n * 48271) % ${count})
end
`,
  );
  return path;
}
