import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";

import { createSecret } from "#app/features/webhooks/delivery/signature.ts";
import { createSecretBox } from "#app/services/base/secret-box.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { freePort } from "#tests/support/program/free-port.ts";
import { openProgramClock } from "#tests/support/program/program-clock.ts";
import { runProgram } from "#tests/support/program/program.ts";
import { openHookServer } from "#tests/support/providers/hook-server.ts";
import { insertRows } from "#tests/support/database/account-rows.ts";

const owners = 25;
const endpointsPerOwner = 4;
const eventsPerOwner = 10;
const deliveries = owners * endpointsPerOwner * eventsPerOwner;
/** How the servers behave, in turn: a third of them fail. */
const behaviors = ["ok", "error", "ok", "ok", "hang", "ok", "ok", "redirect", "ok"];
const [second, minute, hour] = [1_000, 60_000, 3_600_000];
/** docs/webhooks.md: how long after an attempt the next one starts, ±20 %; the last one a day after the first. */
const delays = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour];
/** Longer than the leases of deliveries and jobs. */
const leaseMs = 4 * minute;
/** How many requests of a process may run at the same time, and are repeated when it is killed. */
const inFlight = 32;
/** The kind of the jobs that make deliveries of events. */
const subscriber = "event:webhooks";
const kills = 2;
/** How late a message may be, so that the day passes in few steps. */
const stepMs = 2 * hour;
const soon = { interval: 200 };

describe.each(listEngines())("webhooks, on %s", (engine) => {
  async function open() {
    const database = await makeDatabase(engine, { migrated: engine === "sqlite" });
    const { databaseUrl, dataDir, db } = database;
    const hooks = await openHookServer((response, { headers, path }) => {
      const [behavior = ""] = headers["host"]?.split("-") ?? [];
      if (behavior === "error") response.writeHead(500).end("broken");
      if (behavior === "redirect") response.writeHead(307, { location: `${hooks.origin}${path}/private` }).end();
      // It never answers: the program doesn't wait 15 seconds after this.
      if (behavior === "hang") response.writeProcessing();
      if (behavior === "ok") response.end("ok");
    });
    const clock = openProgramClock();
    const preload = pathToFileURL(join(import.meta.dirname, "../../support/providers/preloaded-internet.ts")).href;
    const env = {
      ...clock.env,
      NODE_OPTIONS: `${clock.env.NODE_OPTIONS} --import=${preload}`,
      TEST_INTERNET: hooks.origin,
      DATA_DIR: dataDir,
      PORT: String(await freePort()),
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    };
    const start = () => runProgram(env);
    return { db, dataDir, clock, hooks, start };
  }

  test(`reach their servers or are given up as documented, of ${deliveries} with ${kills} times kill -9`, async () => {
    const { db, dataDir, clock, hooks, start } = await open();
    const { received } = hooks;
    let program = await start();
    const killAndStart = async () => {
      await program.kill("SIGKILL");
      clock.advance(leaseMs);
      program = await start();
    };
    const secrets = await insertEvents(db, dataDir);
    await expect.poll(() => received.length, soon).toBeGreaterThan(200);
    await killAndStart();
    await expect.poll(() => received.length, soon).toBeGreaterThan(700);
    await killAndStart();
    for (;;) {
      await expect.poll(() => countDue(db, clock.now()), soon).toBe(0);
      const next = await db
        .selectFrom("webhook_delivery")
        .innerJoin("webhook_endpoint", "webhook_endpoint.id", "endpoint_id")
        .select((row) => [row.fn.min("next_attempt_at").as("time"), row.fn.min("paused_until").as("pause")])
        .where("next_attempt_at", "is not", null)
        .executeTakeFirstOrThrow();
      if (next.time === null) break;
      clock.advance(Math.max(0, next.time - clock.now(), (next.pause ?? 0) - clock.now()) + stepMs);
    }

    const rows = await db.selectFrom("webhook_delivery").selectAll().execute();
    const attempts = await listAttempts(db);
    const requests = Map.groupBy(received, ({ headers }) => headers["webhook-id"]);
    expect(rows).toHaveLength(deliveries);
    expect(new Set(requests.keys())).toEqual(new Set(rows.map(({ id }) => id)));
    for (const { id, endpoint_id, state, attempts: count } of rows) {
      const times = attempts.get(id) ?? [];
      expect.soft(count, endpoint_id).toBe(times.length);
      if (endpoint_id.startsWith("ok")) {
        expect.soft({ state, times }, endpoint_id).toEqual({ state: "delivered", times: [expect.any(Number)] });
      } else {
        expect.soft(state, endpoint_id).toBe("failed");
        // One that was always late has one less within the day. A server that doesn't answer gets one message at a time, with pauses.
        const least = endpoint_id.startsWith("hang") ? 2 : 7;
        expect.soft(times.length, endpoint_id).toBeGreaterThanOrEqual(least);
        expect.soft(times.length, endpoint_id).toBeLessThanOrEqual(8);
        expect.soft((times.at(-1) ?? 0) - (times[0] ?? 0), endpoint_id).toBeGreaterThanOrEqual(24 * hour);
        const early = times.slice(1, -1).filter((time, n) => time - (times[n] ?? 0) < (delays[n] ?? 0) * 0.8);
        expect.soft(early, endpoint_id).toEqual([]);
      }
      // At least once, with one id: only what ran while the program was killed comes again.
      const sent = requests.get(id) ?? [];
      expect.soft(sent.length - times.length, endpoint_id).toBeGreaterThanOrEqual(0);
      expect.soft(sent.length - times.length, endpoint_id).toBeLessThanOrEqual(kills);
      expect.soft(new Set(sent.map(({ body }) => body)).size, endpoint_id).toBe(1);
      for (const { headers, body } of sent) {
        const time = new Date(Number(headers["webhook-timestamp"]) * 1_000);
        const signature = new Webhook(secrets.get(endpoint_id) ?? "").sign(id, time, body);
        expect.soft(headers["webhook-signature"], endpoint_id).toBe(signature);
      }
    }
    const stored = [...attempts.values()].reduce((sum, times) => sum + times.length, 0);
    expect(received.length - stored).toBeLessThanOrEqual(kills * inFlight);
    expect(received.filter(({ path }) => path !== "/in")).toEqual([]);
  });
});

/** Adds endpoints, and events as a process leaves them that is killed after its commit. Returns the secret of each endpoint. */
async function insertEvents(db: Db, dataDir: string) {
  const { auth } = JSON.parse(readFileSync(join(dataDir, "secrets.json"), "utf8"));
  const box = createSecretBox({ secret: auth }, "webhooks");
  const secrets = new Map<string, string>();
  for (let owner = 0; owner < owners; owner++) {
    const ownerId = `owner-${owner}`;
    for (let n = 0; n < endpointsPerOwner; n++) {
      const number = owner * endpointsPerOwner + n;
      const id = `${behaviors[number % behaviors.length]}-${number}`;
      const secret = createSecret();
      secrets.set(id, secret);
      const encrypted = { url: box.encrypt(`https://${id}.example/in`, ownerId), secret: box.encrypt(secret, ownerId) };
      const endpoint = { id, owner_id: ownerId, kinds: '["plan.changed"]', ...encrypted, created_at: 0, updated_at: 0 };
      await insertRows({ db }, { webhook_endpoint: endpoint });
    }
  }
  for (let n = 0; n < owners * eventsPerOwner; n++) {
    const event = { id: randomUUID(), kind: "plan.changed", ownerId: `owner-${n % owners}` };
    const job = { id: event.id, kind: subscriber, payload: JSON.stringify(event) };
    await insertRows({ db }, { job: { ...job, run_at: 0, created_at: 0 } });
  }
  return secrets;
}

/** Deliveries that a process sends or may send now, without those of paused endpoints, and events that aren't deliveries yet. */
async function countDue(db: Db, now: number): Promise<number> {
  const due = await db
    .selectFrom("webhook_delivery")
    .innerJoin("webhook_endpoint", "webhook_endpoint.id", "endpoint_id")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where((row) =>
      row.or([
        row.and([row("next_attempt_at", "<=", now), row("paused_until", "<=", now)]),
        row("leased_until", ">", 0),
      ]),
    )
    .executeTakeFirstOrThrow();
  const events = await db.selectFrom("job").select("id").where("kind", "=", subscriber).execute();
  return due.count + events.length;
}

/** When the stored attempts of each delivery started, the first one first. */
async function listAttempts(db: Db): Promise<Map<string, number[]>> {
  const rows = await db.selectFrom("webhook_attempt").selectAll().orderBy("started_at").execute();
  const groups = Map.groupBy(rows, ({ delivery_id }) => delivery_id);
  return new Map([...groups].map(([id, list]) => [id, list.map(({ started_at }) => started_at)]));
}
