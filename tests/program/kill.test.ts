import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";

import { expect, test } from "vitest";

import { makeCard } from "../support/cards.ts";
import { signUpAt } from "../support/people.ts";
import type { ProgramPerson } from "../support/people.ts";
import { profileForm } from "../support/profiles.ts";
import { freePort, startProgram } from "../support/program.ts";
import type { Program } from "../support/program.ts";

const ROUNDS = 20;
const SAVES = 1_000;

/**
 * A profile or a card, and what its owner was told of it. Each save has words of its own and is acknowledged when the answer leads on
 * (302). A save that was on its way when the process died may be there or not; a conflict (409) is no save.
 */
type Document = {
  name: string;
  save: (words: string, version: number) => Promise<Response>;
  read: (database: DatabaseSync) => { version: number; words: string };
  version: number;
  /** By the version that a save made. */
  acknowledged: Map<number, string>;
  /** Words that were sent and not answered. */
  open: Set<string>;
};

test(`kill -9 during ${SAVES} acknowledged saves, ${ROUNDS} times: nothing acknowledged is lost, and the database is whole`, async () => {
  const env = { PORT: String(await freePort()) };
  let program = await startProgram(env);
  try {
    await program.isUp();
    const documents = await makeDocuments(program);
    let acknowledged = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const end = Math.ceil(Math.random() * SAVES);
      acknowledged += await saveUntil(documents, end, program);
      program = await startProgram({ ...env, DATA_DIR: program.dataDir });
      expect(await program.isUp()).toBe(true);
      check(program, documents);
    }
    expect(acknowledged).toBeGreaterThan(ROUNDS);
  } finally {
    await program.remove();
  }
}, 600_000);

async function makeDocuments(program: Program): Promise<Document[]> {
  const people = await Promise.all(
    ["ada", "eda", "ida", "oda"].map((name) => signUpAt(program, `${name}@example.com`)),
  );
  return (await Promise.all(people.map(documentsOf))).flat();
}

async function documentsOf(person: ProgramPerson): Promise<Document[]> {
  const cardId = await makeCard(person);
  const fresh = () => ({ version: 1, acknowledged: new Map<number, string>(), open: new Set<string>() });
  return [
    {
      ...fresh(),
      name: `profile of ${person.email}`,
      save: (words, version) => person.post("/profile", profileForm({ bio: words, version: String(version) })),
      read: (database) => row(database, "select version, bio as words from profile where user_id = ?", person.id),
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

/** Everybody saves at once, one of the documents from two tabs, until so many saves are acknowledged; then the process is killed in the middle. */
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
  const database = new DatabaseSync(join(program.dataDir, "meishi.db"), { timeout: 5_000 });
  try {
    expect(database.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    for (const document of documents) {
      const { version, words } = document.read(database);
      const latest = Math.max(1, ...document.acknowledged.keys());
      expect(version, `${document.name}: an acknowledged save is gone`).toBeGreaterThanOrEqual(latest);
      const told = document.acknowledged.get(version);
      if (told !== undefined) expect(words, document.name).toBe(told);
      else if (version > 1) expect([...document.open], `${document.name}: words that nobody sent`).toContain(words);
      // From here on as the owner sees it when the page is opened again.
      document.version = version;
      document.open.clear();
      document.acknowledged = new Map(version > 1 ? [[version, words]] : []);
    }
  } finally {
    database.close();
  }
}

function row(database: DatabaseSync, statement: string, id: string) {
  const found = database.prepare(statement).get(id);
  return { version: Number(found?.["version"]), words: String(found?.["words"]) };
}
