import { describe, expect, test } from "vitest";

import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { insertPassOnDevices, saveCardElsewhere, tokenOf } from "#tests/support/fixtures/wallet/pass-rows.ts";
import { openPushDouble } from "#tests/support/fixtures/wallet/push-double.ts";
import { walletSettings } from "#tests/support/fixtures/wallet/demo-wallet.ts";
import { runProgram } from "#tests/support/program/program.ts";
import { freePort } from "#tests/support/program/free-port.ts";

const devices = 3_000;
/** As many as are pushed before what is done is stored. */
const pageSize = 500;
const soon = { interval: 20 };

describe.each(listEngines())("pushes to the devices of a pass, on %s", (engine) => {
  async function open() {
    const push = await openPushDouble();
    const database = await makeDatabase(engine, { migrated: engine === "sqlite" });
    const { databaseUrl, dataDir, db } = database;
    const env = { ...walletSettings, APPLE_PUSH_URL: push.url, ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
    // A pass shows the site's address, which therefore stays.
    const same = { DATA_DIR: dataDir, PORT: String(await freePort()) };
    const start = (own: Record<string, string> = same) =>
      runProgram({ ...env, BASE_URL: "https://meishi.example", ...own });
    return { push, db, start };
  }

  const all = Array.from({ length: devices }, (_, n) => tokenOf(n));

  test("go on after kill -9 in the middle, and repeat at most a page", async () => {
    const { push, db, start } = await open();
    const program = await start();
    await insertPassOnDevices(db, devices);
    await saveCardElsewhere(db, "Programmer");
    await expect.poll(() => push.state.count, soon).toBeGreaterThan(pageSize);
    await program.kill("SIGKILL");
    const before = push.state.count;
    expect(before).toBeLessThan(devices);
    // The lease of a job has ended.
    await db.updateTable("job").set({ leased_until: 0 }).execute();
    await start();
    await expect.poll(() => new Set(push.tokens()).size, soon).toBe(devices);
    await expect.poll(() => db.selectFrom("job").selectAll().execute(), soon).toEqual([]);
    expect([...new Set(push.tokens())].toSorted()).toEqual(all);
    expect(push.tokens().length - devices).toBeLessThanOrEqual(pageSize);
  });

  test.runIf(engine === "postgres")("come from one of two processes", async () => {
    const { push, db, start } = await open();
    await start({});
    await start({});
    await insertPassOnDevices(db, devices);
    await saveCardElsewhere(db, "Programmer");
    await saveCardElsewhere(db, "Mathematician");
    await expect.poll(() => push.state.count, soon).toBe(devices);
    await expect.poll(() => db.selectFrom("job").selectAll().execute(), soon).toEqual([]);
    expect(push.tokens().toSorted()).toEqual(all);
  });
});
