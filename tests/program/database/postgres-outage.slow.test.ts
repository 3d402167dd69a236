import { setTimeout as pause } from "node:timers/promises";

import { expect, onTestFinished, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { profileForm } from "#tests/support/app/profiles.ts";
import { createVisitor } from "#tests/support/app/visitor.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { endAllConnections, openUnreliableProxy, queryPostgres } from "#tests/support/program/connections.ts";
import { runProgram } from "#tests/support/program/program.ts";
import { makeNodeFolder, signInOn, signUpAt, visitorOf } from "#tests/support/program/users.ts";

/** One test, because a program of its own for each kind of outage would take longer than the outages. */
test.runIf(listEngines().includes("postgres"))(
  "PostgreSQL restarted, unreachable or hanging: pages and /healthz say so, and later everything works and no count is lost",
  async () => {
    const { databaseUrl = "" } = await makeDatabase("postgres", { migrated: false });
    const network = await openUnreliableProxy(databaseUrl);
    onTestFinished(network.close);
    const program = await runProgram({ DATABASE_URL: network.url });
    const visitor = visitorOf(program);
    const statusAt = async (path: string) => (await visitor.get(path)).status;
    const health = () => statusAt("/healthz");
    const state = async () => ((await (await visitor.get("/status.json")).json()) as { state: string }).state;
    const ada = await signUpAt(program, "ada@example.com");
    const cardId = await makeCard(ada);

    // Restarted: the next requests get new connections.
    for (let version = 1; version <= 3; version++) {
      // Some connections are idle, some in a query.
      await Promise.all(Array.from({ length: 8 }, () => ada.get("/profile")));
      const busy = Array.from({ length: 40 }, async () => (await ada.get("/profile")).status);
      await endAllConnections(databaseUrl);
      for (const status of await Promise.all(busy)) expect(status).toBe(200);
      // The server's closing messages have to arrive first.
      await expect.poll(health).toBe(200);
      expect((await ada.get("/profile")).status).toBe(200);
      const change = profileForm({ version: String(version), bio: `Bio ${version}` });
      expect((await ada.post("/profile", change)).status).toBe(302);
      expect(await (await visitor.get(`/u/${ada.id}`)).text()).toContain(`Bio ${version}`);
      expect(await statusAt(`/card/${cardId}`)).toBe(200);
    }
    await expect.poll(state).toBe("well");

    // Unreachable.
    await visitor.get("/card/demo-card?q");
    network.cut();
    // A cached page is still served for a moment.
    expect(await statusAt("/card/demo-card?q")).toBe(200);
    for (const path of ["/healthz", "/readyz"]) await expect.poll(() => statusAt(path)).toBe(503);
    const internal = /ECONNREFUSED|127\.0\.0\.1|postgres|\n\s+at /i;
    for (const [person, path] of [
      [visitor, "/u/demo-user"],
      [visitor, "/u/demo-user/qr.svg"],
      [ada, "/profile"],
    ] as const) {
      const response = await person.get(path);
      expect(response.status, path).toBe(503);
      expect(await response.text()).not.toMatch(internal);
    }
    // For longer if it is in memory.
    const cacheControl = async () => (await visitor.get(`/card/${cardId}`)).headers.get("cache-control");
    await expect.poll(cacheControl).toBe("max-age=10");
    const login = { intent: "log-in", email: ada.email, password: ada.password };
    expect(await (await visitor.post("/auth", login)).text()).toContain("Something went wrong on our end");
    for (const path of ["/", "/pricing"]) expect(await statusAt(path), path).toBe(200);
    // The status is cached for five seconds; the page of this theme isn't cached yet.
    await expect.poll(() => statusAt("/status.json")).toBe(503);
    const page = await visitor.get("/status", { cookie: "theme=light" });
    expect(page.status).toBe(503);
    const html = await page.text();
    expect(html).toContain("Status unavailable</h1>");
    expect(html).not.toMatch(internal);
    await network.restore();
    for (const path of ["/healthz", "/readyz"]) await expect.poll(() => statusAt(path)).toBe(200);
    expect((await ada.get("/profile")).status).toBe(200);
    expect(await statusAt("/u/demo-user")).toBe(200);
    expect((await visitorOf(program).post("/auth", login)).status).toBe(302);
    const visits = "select sum(n)::int as n from hourly_count where source = 'qr'";
    await expect.poll(() => queryPostgres(databaseUrl, visits)).toEqual([{ n: 2 }]);
    await expect.poll(state).toBe("well");

    // Hanging: the program still answers, and still stops.
    network.silence(true);
    expect(await health()).toBe(503);
    for (const path of ["/", "/pricing"]) expect(await statusAt(path), path).toBe(200);
    const hanging = await Promise.all(Array.from({ length: 40 }, async () => (await ada.get("/profile")).status));
    expect(new Set(hanging)).toEqual(new Set([503]));
    expect(await cacheControl()).toBe("max-age=10");
    network.silence(false);
    await expect.poll(health).toBe(200);
    network.silence(true);
    expect((await program.kill("SIGTERM")).code).toBe(0);
    expect(program.errors()).toBe("");
  },
);

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
      const program = await runProgram(env);
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
      // Until its notifications are back, a process may serve an older page for 1.5 seconds.
      const page = async () => (await visitor.get(`/card/${cardId}?again`)).text();
      await expect.poll(page).toContain(words);
    }
  },
);
