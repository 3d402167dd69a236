import { expect, test } from "vitest";

import { maxJobTries } from "#app/services/jobs/job-rows.server.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const token = "a-token-of-prometheus";

async function openMetrics(env: Record<string, string> = {}) {
  const app = await createTestApp({ env: { METRICS_TOKEN: token, ...env } });
  const request = (authorization: string) => app.visitor().request("/metrics", { headers: { authorization } });
  /** Each series with its value. */
  async function read() {
    const text = await (await request(`Bearer ${token}`)).text();
    const lines = text.split("\n").filter((line) => line && !line.startsWith("#"));
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]),
    );
  }
  return { ...app, request, read };
}

test("metrics are for those who have the token", async () => {
  const { visitor } = await createTestApp();
  expect((await visitor().get("/metrics")).status).toBe(404);
  const { request } = await openMetrics();
  for (const authorization of ["", "Bearer", "Bearer a-token", `Basic ${token}`])
    expect((await request(authorization)).status, authorization).toBe(401);
  const response = await request(`Bearer ${token}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toContain("text/plain; version=0.0.4");
  expect(response.headers.get("cache-control")).toBe("no-store");
});

test("requests count by the first part of their path, and tell nothing about people", async () => {
  const { visitor, read, signedIn } = await openMetrics({ DEMO: "on" });
  await signedIn("grace@example.com");
  for (const path of ["/card/demo-card", "/", "/nowhere-grace/x", "/u/grace%40example.com", "/profile"])
    await visitor().get(path);
  const metrics = await read();
  expect(metrics).toMatchObject({
    'meishi_http_requests_total{group="/card",status="200"}': 1,
    'meishi_http_requests_total{group="/",status="200"}': 1,
    'meishi_http_requests_total{group="other",status="404"}': 1,
    'meishi_http_requests_total{group="/u",status="404"}': 1,
    'meishi_http_requests_total{group="/profile",status="302"}': 1,
    'meishi_http_request_duration_seconds_count{group="/card"}': 1,
  });
  expect(metrics["meishi_database_query_duration_seconds_count"]).toBeGreaterThan(5);
  expect(JSON.stringify(metrics)).not.toContain("grace");
});

test("jobs, queues and self-checks say what fails", async () => {
  const { services, read } = await openMetrics();
  const { db, jobs, clock } = services;
  const now = clock();
  jobs.handle("fails", () => Promise.reject(new Error("no")));
  jobs.handle("works", () => Promise.resolve());
  for (const kind of ["fails", "works", "works"]) await jobs.enqueue(db, kind, {});
  await jobs.runDue();
  await jobs.schedule(db, { kind: "unknown", payload: {}, runAt: now - 90_000 });
  await db.updateTable("job").set({ tries: maxJobTries }).where("kind", "=", "fails").execute();
  const check = { database: "well", files: "well", jobs: "well", mail: "failing" } as const;
  await db
    .insertInto("instance")
    .values({ id: "1", started_at: now, seen_at: now, checked_at: now, ...check })
    .execute();
  const metrics = await read();
  expect(metrics).toMatchObject({
    'meishi_jobs_total{kind="fails",outcome="failed"}': 1,
    'meishi_jobs_total{kind="works",outcome="done"}': 2,
    'meishi_queue_given_up{queue="fails"}': 1,
    'meishi_queue_waiting{queue="unknown"}': 1,
    'meishi_check_failing{check="mail"}': 1,
    'meishi_check_failing{check="files"}': 0,
    meishi_database_up: 1,
    meishi_processes: 1,
  });
  expect(metrics['meishi_queue_due_seconds{queue="unknown"}']).toBeGreaterThanOrEqual(90);
  expect(metrics["meishi_disk_free_bytes"]).toBeGreaterThan(0);
  expect(metrics["meishi_backup_timestamp_seconds"]).toBeUndefined();
});

test("a database that doesn't answer is a metric, not an error", async () => {
  const { services, read } = await openMetrics();
  await services.db.destroy();
  const metrics = await read();
  expect(metrics["meishi_database_up"]).toBe(0);
  expect(metrics["meishi_disk_free_bytes"]).toBeGreaterThan(0);
});
