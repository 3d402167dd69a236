import { expect, onTestFinished, test, vi } from "vitest";

import { createHeartbeat } from "#app/features/status/health.server.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";

test.runIf(listEngines().includes("postgres"))(
  "a process whose clock is wrong runs no jobs, says so, and stays on the status page, until the clock is right",
  async () => {
    const { databaseUrl: DATABASE_URL = "" } = await makeDatabase("postgres");
    const right = await createTestApp({ env: { DATABASE_URL } });
    await createHeartbeat(right.services).beat();
    onTestFinished(() => void vi.useRealTimers());
    for (const minutes of [10, -10]) {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + minutes * 60_000 });
      const options = { env: { DATABASE_URL }, clock: () => Date.now() };
      const { services, visitor, logLines } = await createTestApp(options);
      const heartbeat = createHeartbeat(services);
      await heartbeat.beat();
      const warned = logLines.filter(({ msg }) =>
        /^This machine.s clock is \d+ seconds (ahead of|behind) the/.test(String(msg)),
      );
      expect(warned).toMatchObject([{ level: 40 }]);
      await services.jobs.enqueue(services.db, "mail", {
        to: "ada@example.com",
        subject: "Hi",
        text: "Hi",
        html: "Hi",
      });
      const tries = () => services.db.selectFrom("job").select("tries").execute();
      await services.jobs.runDue();
      expect(await tries()).toEqual([{ tries: 0 }]);
      const page = await (await visitor().get("/status.json")).json();
      expect(page).toMatchObject({ instances: [{}, { state: "failing" }] });

      vi.useRealTimers();
      await heartbeat.beat();
      // What it added is due at once.
      await services.jobs.runDue();
      expect(await tries()).toEqual([]);
      await heartbeat.leave();
    }
  },
);
