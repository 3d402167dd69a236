import { createHash } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sql } from "kysely";

import { changeContacts } from "#app/features/leads/contact-data.server.ts";
import { openDatabase, transact } from "#app/services/database/database.server.ts";
import type { OpenDatabase } from "#app/services/database/database.server.ts";
import { accountRows } from "#tests/support/database/seed.ts";

import { cpuSeconds, median, startMeishi, waitFor } from "../program.ts";
import { atMost } from "../table.ts";
import type { Row } from "../table.ts";
import { onBothDatabases } from "./databases.ts";

const rounds = 100;
const leadCount = 5_000;
const password = "password";

/** A device that synchronizes 5,000 contacts, after one has changed and for the first time. */
export async function addressBook(): Promise<Row[]> {
  return onBothDatabases("sync of contacts", measure);
}

async function measure(label: string, environment: Record<string, string>): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "meishi-bench-"));
  const program = await startMeishi({ dataDir, environment });
  const { db, engine, close } = await openDatabase({ dataDir, databaseUrl: environment["DATABASE_URL"] });
  try {
    const ownerId = await addOwner({ db, engine });
    // What autovacuum does within a minute.
    if (environment["DATABASE_URL"]) await sql`analyze`.execute(db);
    // The program has closed the connection meanwhile.
    await waitFor(`${program.url}/robots.txt`);
    const first = await timeSync(program.url, "");
    const times: number[] = [];
    let { token } = first;
    let cpu = 0;
    for (let round = -20; round < rounds; round++) {
      await transact(db, (trx) => changeContacts(trx, { ownerId, ids: [`lead-${round + 20}`] }));
      if (round === 0) cpu = cpuSeconds(program.pid);
      const synced = await timeSync(program.url, token);
      if (synced.count !== 1) throw new Error(`${synced.count} contacts changed, not one`);
      ({ token } = synced);
      if (round >= 0) times.push(synced.ms);
    }
    const cpuMs = ((cpuSeconds(program.pid) - cpu) / rounds) * 1000;
    return [
      {
        what: `sync of 5,000 contacts of which one changed, CPU, ${label}`,
        value: `${cpuMs.toFixed(1)} ms (${median(times).toFixed(1)} ms until the response)`,
        bar: atMost(30, cpuMs, "ms"),
      },
      { what: `first sync of 5,000 contacts, ${label}`, value: `${first.ms.toFixed(0)} ms` },
    ];
  } finally {
    await close();
    await program.stop();
  }
}

async function timeSync(url: string, token: string) {
  const started = performance.now();
  const response = await fetch(`${url}/dav/leads/`, {
    method: "REPORT",
    headers: { authorization: `Basic ${Buffer.from(`x:${password}`).toString("base64")}` },
    body: `<sync-collection xmlns="DAV:"><sync-token>${token}</sync-token><prop><getetag/></prop></sync-collection>`,
  });
  const text = await response.text();
  const ms = performance.now() - started;
  if (response.status !== 207) throw new Error(`${response.status} ${text}`);
  return { ms, count: text.match(/<d:getetag>/g)?.length, token: /<d:sync-token>([^<]+)/.exec(text)?.[1] ?? "" };
}

/** An account with leads and a device; returns its id. */
async function addOwner({ db, engine }: Pick<OpenDatabase, "db" | "engine">): Promise<string> {
  const { id, rows } = await accountRows("ada@example.com", engine === "sqlite" ? 1 : true);
  for (const [table, row] of Object.entries(rows))
    await db
      .insertInto(table as "setting")
      .values(row as never)
      .execute();
  const now = Date.now();
  const times = { created_at: now, received_at: now, expires_at: now + 720 * 86_400_000 };
  const leads = Array.from({ length: leadCount }, (_, n) => ({ id: `lead-${n}`, name: `Guest ${n}` }));
  for (let at = 0; at < leadCount; at += 500) {
    const part = leads.slice(at, at + 500).map((lead) => ({ ...lead, owner_id: id, card_id: "card", ...times }));
    await db.insertInto("lead").values(part).execute();
  }
  await transact(db, (trx) => changeContacts(trx, { ownerId: id, ids: leads.map((lead) => lead.id) }));
  const hash = createHash("sha256").update(password).digest("hex");
  await db
    .insertInto("address_book_device")
    .values({ id: "device", owner_id: id, name: "Phone", password_hash: hash, created_at: now })
    .execute();
  return id;
}
