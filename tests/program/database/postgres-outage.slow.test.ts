import { Client } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { signUpAt, visitorOf } from "#tests/support/program/users.ts";
import { profileForm } from "#tests/support/app/profiles.ts";
import { startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";
import { openUnreliableProxy } from "#tests/support/program/connections.ts";

async function openProgram() {
  const { databaseUrl = "" } = await makeDatabase("postgres", { migrated: false });
  const network = await openUnreliableProxy(databaseUrl);
  onTestFinished(network.close);
  const program = await startProgram({ DATABASE_URL: network.url });
  onTestFinished(program.remove);
  await program.isUp();
  return { program, network, databaseUrl };
}

async function health({ url }: Program) {
  const started = performance.now();
  const { status } = await fetch(`${url}/healthz`);
  return { status, seconds: (performance.now() - started) / 1_000 };
}

describe.runIf(listEngines().includes("postgres"))("PostgreSQL", () => {
  test("restarted: the next requests get new connections", async () => {
    const { program, databaseUrl } = await openProgram();
    const ada = await signUpAt(program, "ada@example.com");
    const cardId = await makeCard(ada);
    for (let version = 1; version <= 3; version++) {
      // Some connections are idle, some in a query.
      await Promise.all(Array.from({ length: 8 }, () => ada.get("/profile")));
      const busy = Array.from({ length: 40 }, async () => (await ada.get("/profile")).status);
      await endAllConnections(databaseUrl);
      for (const status of await Promise.all(busy)) expect(status).toBe(200);
      // The server's closing messages have to arrive first.
      await expect.poll(() => health(program)).toMatchObject({ status: 200 });
      expect((await ada.get("/profile")).status).toBe(200);
      const change = profileForm({ version: String(version), bio: `Bio ${version}` });
      expect((await ada.post("/profile", change)).status).toBe(302);
      expect(await (await visitorOf(program).get(`/u/${ada.id}`)).text()).toContain(`Bio ${version}`);
      expect((await visitorOf(program).get(`/card/${cardId}`)).status).toBe(200);
    }
    expect(program.errors()).not.toMatch(/Unhandled|Node\.js v/);
  });

  test("unreachable: /healthz and every page say so; later everything works again and no count is lost", async () => {
    const { program, network, databaseUrl } = await openProgram();
    const ada = await signUpAt(program, "ada@example.com");
    const visitor = visitorOf(program);
    await visitor.get("/card/demo-card?q");
    network.cut();
    // A cached page is still served for a moment.
    expect((await visitor.get("/card/demo-card?q")).status).toBe(200);
    expect((await health(program)).status).toBe(503);
    for (const [person, path] of [
      [visitor, "/u/demo-user"],
      [visitor, "/u/demo-user/qr.svg"],
      [ada, "/profile"],
    ] as const) {
      const answer = await person.get(path);
      expect(answer.status, path).toBe(500);
      expect(await answer.text()).not.toMatch(/ECONNREFUSED|127\.0\.0\.1|postgres|\n\s+at /i);
    }
    const login = { intent: "log-in", email: ada.email, password: ada.password };
    expect(await (await visitor.post("/auth", login)).text()).toContain("Something went wrong on our end");
    for (const path of ["/", "/pricing"]) expect((await visitor.get(path)).status, path).toBe(200);

    await network.restore();
    await expect.poll(() => health(program)).toMatchObject({ status: 200 });
    expect((await ada.get("/profile")).status).toBe(200);
    expect((await visitor.get("/u/demo-user")).status).toBe(200);
    expect((await visitorOf(program).post("/auth", login)).status).toBe(302);
    await expect.poll(() => countVisits(databaseUrl)).toBe(2);
    expect(program.errors()).toBe("");
    expect((await program.kill("SIGTERM")).code).toBe(0);
  });

  test("hanging: /healthz still answers in time, and the program still stops on SIGTERM", async () => {
    const { program, network } = await openProgram();
    network.silence(true);
    const answer = await health(program);
    expect(answer.status).toBe(503);
    expect(answer.seconds).toBeLessThan(5);
    for (const path of ["/", "/pricing"]) expect((await visitorOf(program).get(path)).status, path).toBe(200);
    network.silence(false);
    await expect.poll(() => health(program)).toMatchObject({ status: 200 });
    network.silence(true);
    const started = performance.now();
    expect((await program.kill("SIGTERM")).code).toBe(0);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

/** Ends all connections, like a restart of the server; waits up to ten seconds for each. */
async function endAllConnections(databaseUrl: string) {
  await asAdministrator(
    databaseUrl,
    "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
}

async function countVisits(databaseUrl: string): Promise<number> {
  const [row] = await asAdministrator(databaseUrl, "select sum(n)::int as n from hourly_count where source = 'qr'");
  return Number(row?.["n"]);
}

async function asAdministrator(databaseUrl: string, statement: string) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement);
    return rows;
  } finally {
    await client.end();
  }
}
