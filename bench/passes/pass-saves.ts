import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openDatabase } from "#app/services/database/database.server.ts";
import type { Db, Engine } from "#app/services/database/database.server.ts";
import { cardFields, makeCard } from "#tests/support/app/cards.ts";
import type { Visitor } from "#tests/support/app/visitor.ts";
import { accountRows, sessionCookie } from "#tests/support/database/seed.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";
import { openPushDouble } from "#tests/support/fixtures/wallet/push-double.ts";

import { onBothDatabases } from "../pages/databases.ts";
import { visitorWith } from "../event-loop/event-loop-requests.ts";
import { median, startMeishi } from "../program.ts";
import type { Program } from "../program.ts";
import { atMost } from "../table.ts";
import type { Row } from "../table.ts";

const devices = 1_000;
const rounds = 60;

/** A card whose pass is on many devices is saved, in turn with one that has no pass. On SQLite and on PostgreSQL. */
export async function passSaves(): Promise<Row[]> {
  return onBothDatabases("save of a card with a pass", async (label, settings) => [
    await measureSaves(label, settings),
  ]);
}

async function measureSaves(label: string, settings: Record<string, string>): Promise<Row> {
  const dataDir = mkdtempSync(join(tmpdir(), "meishi-bench-"));
  const push = await openPushDouble({ closesAfterTest: false });
  push.state.isCountOnly = true;
  const environment = { ...walletSettings, APPLE_PUSH_URL: push.url, ...settings };
  const meishi = await startMeishi({ dataDir, environment });
  const { db, engine, close } = await openDatabase({ dataDir, databaseUrl: settings["DATABASE_URL"] });
  try {
    const cards = {
      without: await openCard(meishi, { db, engine, email: "a@example.com" }),
      with: await openCard(meishi, { db, engine, email: "b@example.com" }),
    };
    await addToDevices(meishi, db, cards.with.id);
    const times: Record<keyof typeof cards, number[]> = { without: [], with: [] };
    for (let round = 1; round <= rounds; round++)
      for (const name of ["without", "with"] as const) times[name].push(await save(cards[name], round));
    const [without, withPass] = [median(times.without), median(times.with)];
    return {
      what: `save of a card whose pass is on ${devices.toLocaleString("en")} devices, compared with one without, ${label}`,
      value: `${withPass.toFixed(1)} ms, without ${without.toFixed(1)} ms`,
      bar: atMost(1.1, withPass / without, "times as long"),
    };
  } finally {
    await close();
    await meishi.stop();
    await push.close();
  }
}

type OpenCard = { person: Visitor; id: string };

async function openCard(
  meishi: Program,
  { db, engine, email }: { db: Db; engine: Engine; email: string },
): Promise<OpenCard> {
  const { token, rows } = await accountRows(email, engine === "sqlite" ? 1 : true);
  for (const [table, row] of Object.entries(rows))
    await db
      .insertInto(table as "setting")
      .values(row as never)
      .execute();
  const { name, value } = sessionCookie(token, meishi.dataDir);
  const person = visitorWith(meishi, [[name, value]]);
  return { person, id: await makeCard(person) };
}

async function addToDevices({ url }: Program, db: Db, cardId: string) {
  const made = await fetch(`${url}/card/${cardId}/pass.pkpass`);
  if (!made.ok) throw new Error(`The pass wasn't made: ${made.status}`);
  const numbers = Array.from({ length: devices }, (_, n) => n);
  const deviceRows = numbers.map((n) => ({ id: `d${n}`, push_token: `t${n}`, created_at: 1, updated_at: 1 }));
  const registrations = numbers.map((n) => ({ device_id: `d${n}`, card_id: cardId, pushed_until: 1, created_at: 1 }));
  await db.transaction().execute(async (trx) => {
    await trx.insertInto("wallet_device").values(deviceRows).execute();
    await trx.insertInto("wallet_registration").values(registrations).execute();
  });
}

/** In milliseconds, until the response. */
async function save({ person, id }: OpenCard, round: number): Promise<number> {
  const fields = { ...cardFields, company: `Engines ${round}`, version: String(round) };
  const started = performance.now();
  const response = await person.post(`/cards/edit/${id}`, fields);
  await response.arrayBuffer();
  const time = performance.now() - started;
  if (response.status !== 302) throw new Error(`The card wasn't saved: ${response.status}`);
  return time;
}
