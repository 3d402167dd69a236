import { expect, test } from "vitest";

import { profileForm, userIdOf } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { hasPgbouncer, startPgbouncer } from "#tests/support/database/pgbouncer.ts";

test.runIf(listEngines().includes("postgres") && hasPgbouncer)(
  `two nodes behind PgBouncer in transaction mode show each other's saves within two seconds, and at once with a direct address for notifications${hasPgbouncer ? "" : " (skipped: pgbouncer isn't installed)"}`,
  async () => {
    const { databaseUrl = "" } = await makeDatabase("postgres", { migrated: false });
    const pooled = await startPgbouncer(databaseUrl);
    const time = { now: Date.now() };
    const open = (env: Record<string, string> = {}) =>
      createTestApp({ env: { DATABASE_URL: pooled, ...env }, clock: () => time.now });
    const direct = { DATABASE_LISTEN_URL: databaseUrl };
    const nodes = await Promise.all([open(), open(), open(direct), open(direct)]);
    const [first, second, third, fourth] = nodes;
    // More at once than PgBouncer has connections.
    await Promise.all(Array.from({ length: 40 }, () => first.visitor().get("/status.json")));
    expect(nodes.map(({ services }) => services.bus.isLive())).toEqual([false, false, true, true]);

    const [ada, eda] = [await first.signedIn(), await third.signedIn("eda@example.com")];
    const [adas, edas] = [`/u/${await userIdOf(ada)}`, `/u/${await userIdOf(eda)}`];
    const textAt = async ({ visitor }: typeof first, path: string) => (await visitor().get(path)).text();
    for (const version of ["1", "2"]) {
      await Promise.all([textAt(second, adas), textAt(fourth, edas)]);
      for (const person of [ada, eda])
        expect((await person.post("/profile", profileForm({ version, bio: `Bio ${version}` }))).status).toBe(302);
      time.now += 1_501;
      expect(await textAt(second, adas)).toContain(`Bio ${version}`);
      await expect.poll(() => textAt(fourth, edas)).toContain(`Bio ${version}`);
    }
  },
);
