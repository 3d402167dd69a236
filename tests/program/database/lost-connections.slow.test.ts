import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { describe, expect, onTestFinished, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { openBalancer } from "#tests/support/program/balancer.ts";
import { endAllConnections, queryPostgres } from "#tests/support/program/connections.ts";
import { startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";
import { signUpAt, visitorOf } from "#tests/support/program/users.ts";
import type { ProgramUser } from "#tests/support/program/users.ts";

const rounds = 10;

describe.runIf(listEngines().includes("postgres"))("three processes on a PostgreSQL that ends all connections", () => {
  test(`answer no request with 500 and lose no acknowledged save, ${rounds} times`, async () => {
    const { databaseUrl = "" } = await makeDatabase("postgres", { migrated: false });
    const { balancer, owners, programs } = await openSite(databaseUrl);
    const load = startLoad(balancer, owners);
    for (let round = 0; round < rounds; round++) {
      await untilAllMove(load);
      await pause(Math.random() * 200);
      await endAllConnections(databaseUrl);
    }
    await untilAllMove(load);
    load.isOver = true;
    await Promise.all(load.work);

    const { statuses, saved } = load;
    for (const [kind, counts] of Object.entries(statuses)) {
      const allowed = kind === "save" ? ["302", "503"] : ["200"];
      expect(
        Object.keys(counts).filter((status) => !allowed.includes(status)),
        `${kind} ${readErrors(programs)}`,
      ).toEqual([]);
    }
    const stored = await readCards(databaseUrl);
    for (const { person, cardId } of owners) {
      const { words, saves } = saved.get(cardId) ?? { words: "", saves: 0 };
      expect(saves).toBeGreaterThan(rounds);
      expect(stored.get(cardId), "the last acknowledged save").toEqual({ words, version: saves + 1 });
      expect((await person.get("/profile")).status).toBe(200);
      expect(await (await visitorOf(balancer).get(`/card/${cardId}?again`)).text()).toContain(words);
    }
  });
});

type Balancer = Awaited<ReturnType<typeof openBalancer>>;
type Owner = { person: ProgramUser; cardId: string };

async function openSite(databaseUrl: string) {
  const balancer = await openBalancer();
  onTestFinished(balancer.close);
  const start = async (dataDir: string) => {
    const program = await startProgram({ DATABASE_URL: databaseUrl, BASE_URL: balancer.url, DATA_DIR: dataDir });
    onTestFinished(program.remove);
    return program;
  };
  const first = await start(newFolder());
  await first.isUp();
  balancer.add(first);
  const site = { url: balancer.url, dataDir: first.dataDir };
  const people = await Promise.all(["ada", "eda", "ida", "oda"].map((name) => signUpAt(site, `${name}@example.com`)));
  const owners = await Promise.all(people.map(async (person) => ({ person, cardId: await makeCard(person) })));
  // A session of one process is valid in the others when they have the same secrets.
  const others = [newFolder(), newFolder()];
  for (const folder of others) copyFileSync(join(first.dataDir, "secrets.json"), join(folder, "secrets.json"));
  const programs = [first, ...(await Promise.all(others.map(start)))];
  for (const program of programs.slice(1)) {
    await program.isUp();
    balancer.add(program);
  }
  return { balancer, owners, programs };
}

function newFolder() {
  return mkdtempSync(join(tmpdir(), "meishi-program-"));
}

type RequestKind = "cached" | "rendered" | "editor" | "save";

type Load = {
  /** The number of responses by status. */
  statuses: Record<RequestKind, Record<string, number>>;
  /** The latest acknowledged save by card id, and how many there were. */
  saved: Map<string, { words: string; saves: number }>;
  /** The number of responses that each client got. */
  finished: number[];
  isOver: boolean;
  work: Promise<void>[];
};

/** Reads pages and saves each owner's card until `isOver`. */
function startLoad(balancer: Balancer, owners: Owner[]): Load {
  const statuses = { cached: {}, rendered: {}, editor: {}, save: {} };
  const load: Load = { statuses, saved: new Map(), finished: [], isOver: false, work: [] };
  for (const owner of owners) {
    for (const client of [keepSaving, keepReading, keepReading]) {
      const index = load.finished.push(0) - 1;
      const count = (kind: RequestKind, request: Promise<Response>) => countResponse(load, { kind, index, request });
      load.work.push(client(load, { ...owner, visitor: visitorOf(balancer), count }));
    }
  }
  return load;
}

type LoadClient = Owner & {
  visitor: ReturnType<typeof visitorOf>;
  /** Returns the status. */
  count: (kind: RequestKind, request: Promise<Response>) => Promise<number>;
};

async function countResponse(
  { statuses, finished }: Load,
  { kind, index, request }: { kind: RequestKind; index: number; request: Promise<Response> },
) {
  const response = await request;
  await response.arrayBuffer();
  statuses[kind][response.status] = (statuses[kind][response.status] ?? 0) + 1;
  finished[index] = (finished[index] ?? 0) + 1;
  return response.status;
}

/** After an unknown outcome it sends the same form again, as the page advises. */
async function keepSaving(load: Load, { person, cardId, count }: LoadClient) {
  for (let saves = 0; !load.isOver; saves++) {
    const words = crypto.randomUUID();
    const form = { card_name: "Card", company: words, is_public: "on", version: String(saves + 1) };
    while ((await count("save", person.post(`/cards/edit/${cardId}`, form))) === 503);
    load.saved.set(cardId, { words, saves: saves + 1 });
  }
}

async function keepReading(load: Load, { person, cardId, visitor, count }: LoadClient) {
  for (let n = 0; !load.isOver; n++) {
    await count("cached", visitor.get(`/u/${person.id}`));
    await count("rendered", visitor.get(`/card/${cardId}?theme=${n}`));
    await count("rendered", person.get(`/u/${person.id}`));
    await count("editor", person.get("/profile"));
  }
}

/** Waits until each client got two more responses: the second belongs to a request that began after the call. */
async function untilAllMove({ finished }: Load) {
  const before = [...finished];
  while (!finished.every((count, index) => count >= (before[index] ?? 0) + 2)) await pause(10);
}

/** The errors that the programs logged. */
function readErrors(programs: Program[]): string {
  return programs
    .flatMap(({ output }) => output().split("\n"))
    .filter((line) => line.includes('"level":50'))
    .join("\n");
}

async function readCards(databaseUrl: string) {
  const rows = await queryPostgres(databaseUrl, "select id, company, version::int from card");
  return new Map(rows.map(({ id, company, version }) => [id, { words: company, version }]));
}
