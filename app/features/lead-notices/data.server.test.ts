import pino from "pino";
import { expect, test } from "vitest";

import { createAuthTables } from "#app/services/auth/better-auth.server.ts";
import { createTextSigner } from "#app/services/base/signed-token.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import { createJobs } from "#app/services/jobs/jobs.server.ts";
import { createMail } from "#app/services/mail/mail.server.ts";
import { changeAll } from "#tests/support/database/account-rows.ts";
import { insertLead } from "#tests/support/database/leads.ts";
import { describeOnEachDatabase } from "#tests/support/database/databases.ts";
import { insertUser } from "#tests/support/database/seed.ts";
import { makeWriteServices } from "#tests/support/database/write-services.ts";
import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

import { queueLead, saveNotice } from "./data.server.ts";
import { noticeJobs } from "./notice-tasks.server.ts";

const ownerId = "ada";
const [minute, hour] = [60_000, 3_600_000];

describeOnEachDatabase("notices of leads", (makeDb, engine) => {
  async function open() {
    const db = await makeDb();
    await createAuthTables(db, engine);
    const time = { now: Date.UTC(2026, 10, 23, 11) };
    const clock = () => time.now;
    const { events } = await makeWriteServices(db, clock);
    await insertUser(db, engine, ownerId);
    await changeAll({ db }, "user", { emailVerified: engine === "sqlite" ? 1 : true });
    const mail = createMail({ smtpUrl: undefined, mailFrom: "m@example.com", isLocal: true }, makeTempFolder());
    const log = pino({ level: "silent" });
    /** A process: its jobs, with the services that a notice needs. */
    const node = () => {
      const jobs = createJobs({ db, clock, log, handlers: {} });
      const config = { baseUrl: "http://localhost:3000" };
      const services = { db, jobs, mail, clock, config, sign: createTextSigner("secret") };
      for (const [kind, run] of Object.entries(noticeJobs))
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the job uses these services only
        jobs.handle(kind, (...job) => run(services as unknown as Services, ...job));
      return services;
    };
    const nodes = [node(), node()] as const;
    const runAll = () => Promise.all(nodes.map(({ jobs }) => jobs.runDue()));
    let count = 0;
    const add = async (on: (typeof nodes)[number]) => {
      const leadId = `lead-${++count}`;
      await insertLead({ db, events }, { id: leadId, ownerId, now: time.now, lead: { name: `Guest ${count}` } });
      await transact(db, (trx) => queueLead(trx, on, { ownerId, leadId }));
    };
    const subjects = async () => (await mail.listStored()).map(({ subject }) => subject);
    return { db, time, nodes, runAll, add, subjects };
  }

  test("are one mail each when many leads come in at once on two nodes", async () => {
    const { time, nodes, runAll, add, subjects } = await open();
    await add(nodes[0]);
    await runAll();
    await Promise.all(Array.from({ length: 40 }, (_, n) => add(nodes[n % 2 === 0 ? 0 : 1])));
    await runAll();
    expect(await subjects()).toEqual(["New lead: Guest 1"]);
    time.now += 10 * minute;
    await runAll();
    await runAll();
    expect(await subjects()).toEqual(["You have 40 new leads", "New lead: Guest 1"]);
  });

  test("are one daily summary on two nodes", async () => {
    const { db, time, nodes, runAll, add, subjects } = await open();
    await saveNotice(db, nodes[0], { ownerId, channel: "mail", timing: "daily", hour: 12 });
    for (const node of nodes) await add(node);
    await runAll();
    expect(await subjects()).toEqual([]);
    time.now += hour;
    await runAll();
    time.now += 12 * hour;
    await runAll();
    expect(await subjects()).toEqual(["You have 2 new leads"]);
  });
});
