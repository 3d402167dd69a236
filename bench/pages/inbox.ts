import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sql } from "kysely";

import { openDatabase } from "#app/services/database/database.server.ts";
import type { OpenDatabase } from "#app/services/database/database.server.ts";
import { accountRows, sessionCookie } from "#tests/support/database/seed.ts";

import { browserUserAgent } from "../load.ts";
import { median, startMeishi, waitFor } from "../program.ts";
import { atMost } from "../table.ts";
import type { Row } from "../table.ts";
import { onBothDatabases } from "./databases.ts";

const rounds = 60;
const searches = 15;
const few = 100;
const many = 100_000;

/** The first page of the inbox of an owner with few and of one with many leads, in one database: alternating requests, medians. */
export async function inboxPage(): Promise<Row[]> {
  return onBothDatabases("/leads", measure);
}

async function measure(label: string, environment: Record<string, string>): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "meishi-bench-"));
  const program = await startMeishi({ dataDir, environment });
  const { db, engine, close } = await openDatabase({ dataDir, databaseUrl: environment["DATABASE_URL"] });
  try {
    const owners = [];
    for (const count of [few, many])
      owners.push({ headers: await addOwner({ db, engine }, dataDir, count), times: [] as number[] });
    // What autovacuum does within a minute.
    if (environment["DATABASE_URL"]) await sql`analyze`.execute(db);
    // The program has closed the connection meanwhile.
    await waitFor(`${program.url}/robots.txt`);
    for (let round = -20; round < rounds; round++) {
      for (const { headers, times } of owners) {
        const started = performance.now();
        const response = await fetch(`${program.url}/leads`, { headers });
        const text = (await response.text()).replaceAll("<!-- -->", "");
        if (round >= 0) times.push(performance.now() - started);
        if (!text.includes("Possible duplicate") || !text.includes("2 submissions"))
          throw new Error(`${response.url} responded with ${response.status}`);
      }
    }
    const [atFew = 0, atMany = 0] = owners.map(({ times }) => median(times));
    return [
      { what: `/leads, first page of 100 leads, ${label}`, value: `${atFew.toFixed(1)} ms` },
      { what: `/leads, first page of 100,000 leads, ${label}`, value: `${atMany.toFixed(1)} ms` },
      {
        what: `100,000 vs. 100 leads, ${label}`,
        value: (atMany / atFew).toFixed(2),
        bar: atMost(1.3, atMany / atFew),
      },
      {
        what: `/leads, search of 100,000 leads that finds none, ${label}`,
        value: `${(await searchTime(program.url, owners.at(-1)?.headers)).toFixed(0)} ms`,
      },
    ];
  } finally {
    await close();
    await program.stop();
  }
}

/** Of a search that reads all leads of the owner. */
async function searchTime(url: string, headers: Record<string, string> = {}): Promise<number> {
  const times = [];
  for (let round = -3; round < searches; round++) {
    const started = performance.now();
    const response = await fetch(`${url}/leads?q=m%C3%BCller`, { headers });
    if (!(await response.text()).includes("No lead matches"))
      throw new Error(`${response.url} responded with ${response.status}`);
    if (round >= 0) times.push(performance.now() - started);
  }
  return median(times);
}

/** An account with `count` leads; returns the headers of its session. */
async function addOwner({ db, engine }: Pick<OpenDatabase, "db" | "engine">, dataDir: string, count: number) {
  const { id, token, rows } = await accountRows(`${count}@example.com`, engine === "sqlite" ? 1 : true);
  for (const [table, row] of Object.entries(rows))
    await db
      .insertInto(table as "setting")
      .values(row as never)
      .execute();
  const leads = Array.from({ length: count }, (_, index) => leadRow(id, index));
  for (let at = 0; at < count; at += 500)
    await db
      .insertInto("lead")
      .values(leads.slice(at, at + 500))
      .execute();
  const tags = leads
    .filter((_, index) => index % 4 === 0)
    .map((lead) => ({ lead_id: lead.id, tag: "Fair", owner_id: id }));
  for (let at = 0; at < tags.length; at += 1_000)
    await db
      .insertInto("lead_tag")
      .values(tags.slice(at, at + 1_000))
      .execute();
  const { name, value } = sessionCookie(token, dataDir);
  return { cookie: `${name}=${value}`, "user-agent": browserUserAgent };
}

/** A lead each minute. In each ten: one merged, two with the same address, two suspected of spam, three not opened. */
function leadRow(ownerId: string, index: number) {
  const time = Date.now() - index * 60_000;
  const [group, position] = [Math.floor(index / 10), index % 10];
  const person = position === 1 || position === 2 ? 0 : position;
  const email = `guest-${group}-${person}@example.com`;
  return {
    id: `${ownerId}-${index}`,
    owner_id: ownerId,
    card_id: "card",
    name: `Guest ${group} ${person}`,
    email,
    email_key: email,
    phone: `+49 30 ${index}`,
    phone_key: `4930${String(index).padStart(7, "0")}`,
    company: "Example",
    note: "Met at the booth, please send the price list.",
    search_text: `guest ${group} ${person}\n${email}\n+49 30 ${index}\nexample\nmet at the booth, please send the price list.`,
    merged_into: position === 1 ? `${ownerId}-${group * 10}` : null,
    merge_parent: position === 1 ? `${ownerId}-${group * 10}` : null,
    quarantined_at: position === 8 || position === 9 ? time : null,
    read_at: position >= 5 ? time : null,
    created_at: time,
    received_at: time,
    expires_at: time + 720 * 86_400_000,
  };
}
