import type { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";

import { expect, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { withDatabase } from "#tests/support/program/database.ts";
import { signUpAt } from "#tests/support/program/users.ts";
import type { ProgramUser } from "#tests/support/program/users.ts";
import { profileForm } from "#tests/support/app/profiles.ts";
import { startProgram } from "#tests/support/program/program.ts";
import { freePort } from "#tests/support/program/free-port.ts";
import type { Program } from "#tests/support/program/program.ts";

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
