import { execFile } from "node:child_process";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";

import { expect, test } from "vitest";

import { openDatabase } from "#app/services/database/database.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { makeCard } from "#tests/support/app/cards.ts";
import { profileForm } from "#tests/support/app/profiles.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { describeOnEachDatabase, makeDatabase } from "#tests/support/database/databases.ts";
import type { TestDatabase } from "#tests/support/database/databases.ts";
import { withDatabase } from "#tests/support/program/database.ts";
import { killPoints, openNode } from "#tests/support/program/event-writer.ts";
import type { KillPoint } from "#tests/support/program/event-writer.ts";
import { freePort } from "#tests/support/program/free-port.ts";
import { startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";
import { signUpAt } from "#tests/support/program/users.ts";
import type { ProgramUser } from "#tests/support/program/users.ts";

const rounds = 20;
const maxSaves = 200;

/**
 * A profile or a card, and the responses its owner got. Each save has its own text and is acknowledged by a redirect (302). A save
 * in flight when the process died may be stored or not; a conflict (409) is not a save.
 */
type Document = {
  name: string;
  save: (words: string, version: number) => Promise<Response>;
  read: (database: DatabaseSync) => { version: number; words: string };
  version: number;
  /** By the version that a save created. */
  acknowledged: Map<number, string>;
  /** Texts sent without a response. */
  open: Set<string>;
};

test(`loses no acknowledged save and corrupts nothing in ${rounds} times kill -9, each within ${maxSaves} saves`, async () => {
  const env = { PORT: String(await freePort()) };
  let program = await startProgram(env);
  try {
    await program.isUp();
    const documents = await makeDocuments(program);
    let acknowledged = 0;
    for (let round = 0; round < rounds; round++) {
      const end = Math.ceil(Math.random() * maxSaves);
      acknowledged += await saveUntil(documents, end, program);
      program = await startProgram({ ...env, DATA_DIR: program.dataDir });
      expect(await program.isUp()).toBe(true);
      check(program, documents);
    }
    expect(acknowledged).toBeGreaterThan(rounds);
  } finally {
    await program.remove();
  }
});

async function makeDocuments(program: Program): Promise<Document[]> {
  const people = await Promise.all(
    ["ada", "eda", "ida", "oda"].map((name) => signUpAt(program, `${name}@example.com`)),
  );
  return (await Promise.all(people.map(documentsOf))).flat();
}

async function documentsOf(person: ProgramUser): Promise<Document[]> {
  const cardId = await makeCard(person);
  const fresh = () => ({ version: 1, acknowledged: new Map<number, string>(), open: new Set<string>() });
  return [
    {
      ...fresh(),
      name: `profile of ${person.email}`,
      save: (words, version) => person.post("/profile", profileForm({ bio: words, version: String(version) })),
      read: (database) => row(database, "select version, bio as words from profile where owner_id = ?", person.id),
    },
    {
      ...fresh(),
      name: `card of ${person.email}`,
      save: (words, version) =>
        person.post(`/cards/edit/${cardId}`, { card_name: "Card", company: words, version: String(version) }),
      read: (database) => row(database, "select version, company as words from card where id = ?", cardId),
    },
  ];
}

/** Saves all documents concurrently, one from two tabs, until `end` saves are acknowledged; then kills the process. */
async function saveUntil(documents: Document[], end: number, program: Program): Promise<number> {
  let acknowledged = 0;
  let killed: Promise<unknown> | undefined;
  async function tab(document: Document) {
    while (!killed) {
      const words = crypto.randomUUID();
      const { version } = document;
      document.open.add(words);
      const status = await document.save(words, version).then(
        (answer) => answer.status,
        () => "no answer" as const,
      );
      if (status === "no answer") return;
      document.open.delete(words);
      if (status === 409) {
        await pause(1);
        continue;
      }
      expect(status, document.name).toBe(302);
      document.acknowledged.set(version + 1, words);
      document.version = Math.max(document.version, version + 1);
      acknowledged++;
      if (acknowledged >= end) killed ??= pause(Math.random() * 4).then(() => program.kill("SIGKILL"));
    }
  }
  await Promise.all([...documents, ...documents.slice(0, 1)].map(tab));
  await killed;
  return acknowledged;
}

function check(program: Program, documents: Document[]) {
  withDatabase(program.dataDir, (database) => {
    expect(database.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    for (const document of documents) {
      const { version, words } = document.read(database);
      const latest = Math.max(1, ...document.acknowledged.keys());
      expect(version, `${document.name}: an acknowledged save is gone`).toBeGreaterThanOrEqual(latest);
      const told = document.acknowledged.get(version);
      if (told !== undefined) expect(words, document.name).toBe(told);
      else if (version > 1) expect([...document.open], `${document.name}: words that no one sent`).toContain(words);
      // From here on as the owner sees it after reloading.
      document.version = version;
      document.open.clear();
      document.acknowledged = new Map(version > 1 ? [[version, words]] : []);
    }
  });
}

function row(database: DatabaseSync, statement: string, id: string) {
  const found = database.prepare(statement).get(id);
  return { version: Number(found?.["version"]), words: String(found?.["words"]) };
}

const writer = join(import.meta.dirname, "../../support/program/event-writer.ts");
const kills = 100;
const concurrency = 2;
/** Longer than a job's lease and its first back-offs. */
const laterMs = 60 * 60_000;

describeOnEachDatabase("an event whose process is killed", (_, engine) => {
  test(`reaches the live process and is handled once, in ${kills} times kill -9`, async () => {
    const database = await makeDatabase(engine);
    const received: string[] = [];
    const alive = await openNode(database);
    cleanUpAfterTest(alive.stop);
    alive.events.subscribe({
      name: "received",
      kinds: ["card.saved"],
      everywhere: (event) => void received.push("cardId" in event ? event.cardId : ""),
      missed: () => undefined,
    });
    alive.events.start();

    const numbers = Array.from({ length: kills }, (_, index) => String(index));
    const waiting = [...numbers];
    const runLane = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        await writeAndDie(database, next, killPoints[Number(next) % killPoints.length] ?? "after the commit");
    };
    await Promise.all(Array.from({ length: concurrency }, runLane));
    const written = await alive.db.selectFrom("setting").select("name").execute();
    expect(new Set(written.map(({ name }) => name))).toEqual(new Set(numbers));

    await expect.poll(() => new Set(received)).toEqual(new Set(numbers));
    await expect.poll(() => alive.db.selectFrom("event").selectAll().execute()).toEqual([]);
    const later = await openNode({ ...database, clock: () => Date.now() + laterMs });
    cleanUpAfterTest(later.stop);
    await later.jobs.runDue();
    const counts = await alive.db.selectFrom("attempt").select("count").execute();
    expect(counts).toEqual(numbers.map(() => ({ count: 1 })));
    expect(await alive.db.selectFrom("job").selectAll().execute()).toEqual([]);
  });
});

/** Runs a writer until it has killed itself. */
async function writeAndDie({ dataDir, databaseUrl }: TestDatabase, number: string, killPoint: KillPoint) {
  const options = JSON.stringify({ dataDir, databaseUrl, number, killPoint });
  const { signal, stderr } = await new Promise<{ signal: string | undefined; stderr: string }>((resolve) => {
    const env = { ...process.env, NODE_COMPILE_CACHE: join(dataDir, "compile-cache") };
    execFile(process.execPath, [writer, options], { env }, (error, _, stderr) =>
      resolve({ signal: error?.signal ?? undefined, stderr }),
    );
  });
  expect({ signal, stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
}

const visitRounds = 8;
/** What the program may lose: a visit is in the database within a second. */
const lossMs = 1_000;
/** So long that a round's visits, all from one network, stay below what a network can count on a page in an hour. */
const visitPauseMs = 40;

describeOnEachDatabase("visits while the program is killed", (_, engine) => {
  test(`are counted once, but for those of the last second, in ${visitRounds} times kill -9`, async () => {
    const { databaseUrl } = await makeDatabase(engine);
    const env = { PORT: String(await freePort()), DEMO: "on", ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
    let program = await startProgram(env);
    const { db, close } = await openDatabase({ dataDir: program.dataDir, databaseUrl });
    const visits = { sent: 0, safe: 0 };
    try {
      for (let round = 0; round < visitRounds; round++) {
        expect(await program.isUp()).toBe(true);
        // The roll-up of the start runs at the same time.
        const { times, killedAt } = await visitUntilKilled(program, 300 + Math.random() * 2_500);
        visits.sent += times.length;
        visits.safe += times.filter((at) => at < killedAt - lossMs).length;
        program = await startProgram({ ...env, DATA_DIR: program.dataDir });
      }
      expect(await program.isUp()).toBe(true);
      await expect.poll(async () => (await sumCounts(db)).waiting).toBe(0);
      const { hourly, daily } = await sumCounts(db);
      expect(visits.safe).toBeGreaterThan(visitRounds);
      expect(hourly).toBeGreaterThanOrEqual(visits.safe);
      expect(hourly).toBeLessThanOrEqual(visits.sent);
      expect(daily).toBe(hourly);
    } finally {
      await close();
      await program.remove();
    }
  });
});

/** Visits a page again and again. Returns when each visit was answered: never, for those in flight at the end. */
async function visitUntilKilled(program: Program, ms: number) {
  const times: number[] = [];
  const end = performance.now() + ms;
  const visit = async () => {
    while (performance.now() < end + 5_000) {
      const response = await fetch(`${program.url}/card/demo-card?q`, {
        headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0" },
      }).catch(() => undefined);
      // The answer may be lost, and the visit counted.
      if (!response?.ok) return void times.push(Infinity);
      await response.text().catch(() => "");
      times.push(performance.now());
      await pause(visitPauseMs);
    }
  };
  const running = Promise.all(Array.from({ length: 3 }, visit));
  await pause(ms);
  const killedAt = performance.now();
  await program.kill("SIGKILL");
  await running;
  return { times, killedAt };
}

async function sumCounts(db: Db) {
  const ofHours = await db
    .selectFrom("hourly_count")
    .select(({ fn }) => [fn.sum<number>("n").as("n"), fn.sum<number>("rolled").as("rolled")])
    .where("subject", "=", "card:demo-card")
    .where("kind", "=", "visit")
    .executeTakeFirstOrThrow();
  const ofDays = await db
    .selectFrom("daily_count")
    .select(({ fn }) => fn.sum<number>("visits").as("n"))
    .where("dimension", "=", "page")
    .where("value", "=", "card:demo-card")
    .executeTakeFirstOrThrow();
  return { hourly: ofHours.n, waiting: ofHours.n - ofHours.rolled, daily: ofDays.n };
}
