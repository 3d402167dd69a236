import { setTimeout as pause } from "node:timers/promises";

import { expect, onTestFinished, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { createVisitor } from "#tests/support/app/visitor.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { endAllConnections, queryPostgres } from "#tests/support/program/connections.ts";
import { startProgram } from "#tests/support/program/program.ts";
import { makeNodeFolder, signInOn } from "#tests/support/program/users.ts";

const rounds = 10;
const baseUrl = "http://localhost:3000";

/** Sends a request and returns its status. */
type Send = (request: Promise<Response>) => Promise<number>;

test.runIf(listEngines().includes("postgres"))(
  `three processes on a PostgreSQL that ends all connections answer no request with 500 and lose no acknowledged save, ${rounds} times`,
  async () => {
    const { databaseUrl = "", db } = await makeDatabase("postgres", { migrated: false });
    const start = async () => {
      const env = { DATABASE_URL: databaseUrl, BASE_URL: baseUrl, DATA_DIR: makeNodeFolder() };
      const program = await startProgram(env);
      onTestFinished(program.remove);
      await program.isUp();
      return program;
    };
    const programs = [await start(), await start(), await start()] as const;
    let next = 0;
    // As a load balancer does.
    const request = (address: string, init?: RequestInit) =>
      fetch(address.replace(baseUrl, `http://localhost:${programs[next++ % programs.length]?.port}`), init);
    const visitor = createVisitor({ request }, baseUrl);
    const site = { url: `http://localhost:${programs[0].port}`, dataDir: programs[0].dataDir };

    /** The number of responses that each client got. */
    const finished: number[] = [];
    const unexpected: string[] = [];
    const load = { isOver: false };
    async function repeat(allowed: number[], work: (send: Send) => Promise<unknown>) {
      const index = finished.push(0) - 1;
      const send: Send = async (sent) => {
        const response = await sent;
        await response.arrayBuffer();
        finished[index] = (finished[index] ?? 0) + 1;
        if (!allowed.includes(response.status)) unexpected.push(`${response.status} ${response.url}`);
        return response.status;
      };
      while (!load.isOver) await work(send);
    }
    /** Waits until each client got two more responses: the second belongs to a request that began after the call. */
    async function untilAllMove() {
      const before = [...finished];
      while (!finished.every((count, index) => count >= (before[index] ?? 0) + 2)) await pause(10);
    }

    const clients: Promise<void>[] = [];
    const owners = [];
    for (const name of ["ada", "eda", "ida", "oda"]) {
      const { id, cookies } = await signInOn(site, db, `${name}@example.com`);
      const person = createVisitor({ request }, baseUrl);
      for (const [cookie, value] of cookies) person.cookies.set(cookie, value);
      const owner = { person, cardId: await makeCard(person), words: "", saves: 0 };
      owners.push(owner);
      const { cardId } = owner;
      const save = async (send: Send) => {
        const [company, version] = [crypto.randomUUID(), String(owner.saves + 1)];
        const form = { card_name: "Card", company, is_public: "on", version };
        // After an unknown outcome it sends the same form again, as the page advises.
        while ((await send(person.post(`/cards/edit/${cardId}`, form))) === 503);
        owner.words = company;
        owner.saves += 1;
      };
      const read = async (send: Send) => {
        await send(visitor.get(`/u/${id}`));
        await send(visitor.get(`/card/${cardId}?theme=${next}`));
        await send(person.get(`/u/${id}`));
        await send(person.get("/profile"));
      };
      clients.push(repeat([302, 503], save), repeat([200], read), repeat([200], read));
    }
    for (let round = 0; round < rounds; round++) {
      await untilAllMove();
      await pause(Math.random() * 200);
      await endAllConnections(databaseUrl);
    }
    await untilAllMove();
    load.isOver = true;
    await Promise.all(clients);

    const errors = programs.flatMap(({ output }) => output().split("\n")).filter((line) => line.includes('"level":50'));
    expect(unexpected, errors.join("\n")).toEqual([]);
    const cards = await queryPostgres(databaseUrl, "select id, company as words, version::int - 1 as saves from card");
    for (const { person, cardId, words, saves } of owners) {
      expect(saves).toBeGreaterThan(rounds);
      expect(cards, "the last acknowledged save").toContainEqual({ id: cardId, words, saves });
      expect((await person.get("/profile")).status).toBe(200);
      expect(await (await visitor.get(`/card/${cardId}?again`)).text()).toContain(words);
    }
  },
);
