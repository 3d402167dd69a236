import { statSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { queueLabel } from "#app/features/admin/messages.ts";
import { saveHeartbeats, saveInstance } from "#app/features/status/data.server.ts";
import { formatBytes } from "#app/services/base/format.ts";
import { programVersion } from "#app/services/config/version.ts";
import { insertJob, maxJobTries } from "#app/services/jobs/job-rows.server.ts";
import { features } from "#server/features.ts";
import { runMaintenance } from "#server/maintenance.ts";
import { createOperatedApp } from "#tests/support/admin/operated-app.ts";
import { toastIn, visibleText } from "#tests/support/app/responses.ts";
import { proveAgo } from "#tests/support/database/account-rows.ts";

const minute = 60_000;
const path = "/admin/system";

async function open(env: Record<string, string> = {}) {
  const app = await createOperatedApp(env);
  const { admin, services } = app;
  const { db } = services;
  // Of the sign-in.
  for (const table of ["event", "job"] as const) await db.deleteFrom(table).execute();
  const act = (form: Record<string, string>) => admin.post(path, form);
  /** Jobs that failed their last try. */
  const addFailed = async (...kinds: string[]) => {
    const now = Date.now();
    for (const kind of kinds) await insertJob(db, { kind, payload: { to: "eve@example.com" }, runAt: now }, now);
    const failed = { tries: maxJobTries, last_error: "<b>No answer</b>", run_at: now + 60 * minute };
    await db.updateTable("job").set(failed).where("kind", "in", kinds).execute();
  };
  const idOf = async (kind: string) =>
    (await db.selectFrom("job").select("id").where("kind", "=", kind).executeTakeFirst())?.id ?? "none";
  const html = async () => (await admin.get(path)).text();
  const log = async () => visibleText(await (await admin.get("/admin/log")).text());
  return { ...app, db, act, addFailed, idOf, html, text: async () => visibleText(await html()), log };
}

test("the system page shows how many jobs wait, for how long, and those that failed without what they say", async () => {
  const { db, addFailed, html, text } = await open();
  expect(await text()).toContain("Queues Nothing is waiting. Failed jobs None.");
  const now = Date.now();
  for (const runAt of [now - 3 * minute - 1, now + minute])
    await insertJob(db, { kind: "mail", payload: 1, runAt }, now);
  await addFailed("forward-lead", "event:webhooks");
  const shown = await text();
  for (const part of [
    "Emails mail 2 waiting Oldest due for 3 min",
    "Forwarded leads forward-lead 1 failed",
    "Work after a change event:webhooks &lt;b&gt;No answer&lt;/b&gt;",
  ])
    expect(shown).toContain(part);
  expect(shown).not.toContain("Retry all");
  expect(await html()).not.toContain("eve@example.com");
});

test("at most 50 failed jobs are shown, with how many there are", async () => {
  const { addFailed, html } = await open();
  await addFailed(...Array.from({ length: 51 }, () => "weekly-mail"));
  const page = await html();
  expect(page.split('value="discard"')).toHaveLength(51);
  expect(visibleText(page)).toContain("The newest 50 of 51");
  expect(visibleText(page)).toContain("Retry all 51: Weekly emails");
});

test("a failed job is retried once, and the log names the operator and the kind", async () => {
  const { db, act, addFailed, idOf, log } = await open();
  await addFailed("forward-lead", "mail", "mail", "plan-mail");
  const id = await idOf("forward-lead");
  expect(toastIn(await act({ intent: "retry", id }))).toMatchObject({ title: "The job runs again", tone: "success" });
  const again = await act({ intent: "retry", id });
  expect(again.headers.get("location")).toBe(path);
  expect(toastIn(again)).toEqual({ title: "Someone else retried or discarded this meanwhile", tone: "info" });
  expect(toastIn(await act({ intent: "retry-all", kind: "mail" }))).toMatchObject({ title: "2 jobs run again" });
  const jobs = await db.selectFrom("job").select(["kind", "tries", "run_at"]).orderBy("kind").execute();
  expect(jobs.map(({ kind, tries }) => `${kind} ${tries}`)).toEqual([
    "forward-lead 0",
    "mail 0",
    "mail 0",
    `plan-mail ${maxJobTries}`,
  ]);
  expect(jobs.filter(({ run_at }) => run_at <= Date.now())).toHaveLength(3);
  const logged = await log();
  expect(logged).toContain("Retried : a failed job (forward-lead)");
  expect(logged).toContain("Retried : 2 failed jobs (mail)");
  expect(logged.split("Retried :")).toHaveLength(3);
  expect(logged).toContain("operator@example.com");
});

test("a failed job is discarded, but not one that waits, of an unknown id, or that was retried meanwhile", async () => {
  const { db, act, addFailed, idOf, log } = await open();
  await addFailed("forward-lead", "plan-mail");
  await insertJob(db, { kind: "mail", payload: 1, runAt: Date.now() + minute }, Date.now());
  const [discarded, retried, waiting] = [await idOf("forward-lead"), await idOf("plan-mail"), await idOf("mail")];
  await act({ intent: "retry", id: retried });
  for (const id of [waiting, retried, "none", "", "\u0000"])
    expect(toastIn(await act({ intent: "discard", id })), id).toMatchObject({ tone: "info" });
  expect(toastIn(await act({ intent: "discard", id: discarded }))).toMatchObject({ title: "Job discarded" });
  expect(toastIn(await act({ intent: "discard", id: discarded }))).toMatchObject({ tone: "info" });
  expect(await db.selectFrom("job").select("kind").orderBy("kind").execute()).toEqual([
    { kind: "mail" },
    { kind: "plan-mail" },
  ]);
  expect((await log()).split("Discarded : a failed job (forward-lead)")).toHaveLength(2);
});

test("a maintenance task is run by an operator, who sees its last run", async () => {
  const { services, act, text } = await open();
  expect(await text()).toContain("rate limits It hasn’t run yet Run now");
  const started = await act({ intent: "run", task: "rate limits" });
  expect(toastIn(started)).toMatchObject({ title: "Started: rate limits" });
  expect(await text()).toContain("Maintenance maintenance 1 waiting");
  await services.jobs.runDue();
  expect(await text()).toMatch(/rate limits \w+ \d+, \d{4}, \d\d:\d\d UTC , \d+ ms, 0 rows Run now/);
  await services.db.schema.dropTable("rendered_page").execute();
  await runMaintenance(features, services);
  const runs = await services.maintenance.list();
  expect(runs.find(({ name }) => name === "rendered pages")?.last?.error).toContain("rendered_page");
});

test("the error of a maintenance task is shown", async () => {
  const { services, act, text } = await open();
  services.renderedPages.sweep = () => Promise.reject(new Error("disk I/O error"));
  await act({ intent: "run", task: "rendered pages" });
  await services.jobs.runDue();
  expect(await text()).toMatch(/rendered pages \w+ \d+, .{0,30} ms Run now Failed: disk I\/O error/);
});

test("unknown tasks and actions are refused, and every action needs a recent proof of identity", async () => {
  const { services, db, act, addFailed, idOf } = await open();
  await addFailed("mail");
  const unknown: Record<string, string>[] = [{ intent: "run", task: "drop table" }, { intent: "run" }, { intent: "x" }];
  for (const form of unknown) expect((await act(form)).status).toBe(400);
  await proveAgo(services, 11);
  const id = await idOf("mail");
  for (const intent of ["retry", "discard", "retry-all", "run"]) {
    const late = await act({ intent, id, kind: "mail", task: "rate limits" });
    expect(late.headers.get("location"), intent).toContain("/account/verify");
  }
  expect(await db.selectFrom("job").select("tries").execute()).toEqual([{ tries: maxJobTries }]);
});

test("the processes are shown with their versions and checks, and whether an update is in progress", async () => {
  const { db, text } = await open();
  const now = Date.now();
  expect(await text()).toContain("Processes None has checked itself yet.");
  const results = { database: "well", files: "well", mail: "failing", jobs: "well" } as const;
  const add = async (id: string, seenAt: number) => {
    await saveInstance(db, { id, startedAt: seenAt - minute, now: seenAt });
    await saveHeartbeats(db, id, [{ checkedAt: seenAt, results }]);
  };
  await add("11111111-new", now);
  await add("22222222-gone", now - 12 * minute);
  await db.updateTable("instance").set({ version: "0.0.1" }).where("id", "=", "22222222-gone").execute();
  const shown = await text();
  expect(shown).toContain(`11111111 Running Meishi ${programVersion} Since`);
  expect(shown).toContain("Database: OK Files: OK Email: failing Background jobs: OK");
  expect(shown).toContain("22222222 Silent for 12 min Meishi 0.0.1");
  expect(shown).not.toContain("update is in progress");
  // As a program before this column records itself.
  const old = { id: "33333333-old", started_at: now, seen_at: now, checked_at: now };
  await db.insertInto("instance").values(old).execute();
  const updating = await text();
  expect(updating).toContain("An update is in progress Processes run an older version and");
  expect(updating).toContain("33333333 Running An older version of Meishi");
});

test("the storage is shown as it is", async () => {
  const { db, services, visitor, dataDir, text } = await open({ DEMO: "on", PAGE_CACHE_MB: "20" });
  await visitor().get("/u/demo-user");
  await services.renderedPages.flush();
  await db.updateTable("rendered_page").set({ bytes: 3_210_000 }).execute();
  const shown = await text();
  expect(shown).toContain("Stored pages 1 public page, 3 MB of at most 20 MB PAGE_CACHE_MB");
  expect(shown).toMatch(/Disk of DATA_DIR (Almost full )?\d+ GB of \d+ GB are free/);
  if (services.engine === "postgres") return expect(shown).toMatch(/Database, PostgreSQL \d+ MB/);
  const bytes = ["", "-wal"].reduce((sum, end) => sum + statSync(join(dataDir, `meishi.db${end}`)).size, 0);
  expect(shown).toContain(`Database, SQLite ${formatBytes(bytes)}`);
});

test("every kind of job has a name in plain words", () => {
  const kinds = features.flatMap(({ jobs = {}, slowJobs = {} }) => [...Object.keys(jobs), ...Object.keys(slowJobs)]);
  expect(kinds.length).toBeGreaterThan(10);
  const all = [...kinds, "mail", "maintenance", "events", "webhooks"];
  expect(all.filter((kind) => queueLabel(kind) === "Other work")).toEqual([]);
});
