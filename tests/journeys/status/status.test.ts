import { rmSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createHeartbeat } from "#app/features/status/health.server.ts";

import { visibleText } from "#tests/support/app/responses.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";

const start = Date.UTC(2026, 10, 21, 12);
const minute = 60_000;

async function open(env: Record<string, string> = {}) {
  const time = { now: start };
  const app = await createTestApp({ env, clock: () => time.now });
  const visitor = app.visitor();
  const page = async () => {
    const response = await visitor.get("/status");
    const html = await response.text();
    return { status: response.status, html, text: visibleText(html), headers: response.headers };
  };
  const json = async () => {
    const response = await visitor.get("/status.json");
    return { status: response.status, body: JSON.parse(await response.text()), headers: response.headers };
  };
  const beats = async (count: number) => {
    const heartbeat = createHeartbeat(app.services);
    for (let n = 0; n < count; n++, time.now += minute) await heartbeat.beat();
    return heartbeat;
  };
  return { ...app, time, page, json, beats };
}

test("shows the state, the last check and the covered minutes, once there is a record, and caches it for a minute", async () => {
  const { page, json, beats, time } = await open();
  const before = await page();
  expect(before.status).toBe(200);
  for (const text of ["No data yet", "Unknown"]) expect(before.text).toContain(text);
  expect(before.text).not.toMatch(/\d%/);
  expect((await json()).body).toMatchObject({ state: "unknown", instances: [], uptime: null, days: [], stretches: [] });

  time.now += minute;
  const { id } = await beats(10);
  const { text } = await page();
  for (const shown of [
    "All systems operational",
    "Last checked at 12:10 UTC on November 21, 2026.",
    "Up for 10 of 10 minutes since 12:01 UTC on November 21, 2026.",
    "100% of 10 minutes",
    "No incidents.",
    `Process ${id.slice(0, 8)}`,
  ])
    expect(text).toContain(shown);
  expect(text).not.toContain(id);
  await beats(1);
  expect((await page()).text).toContain("Up for 11 of 11 minutes");
});

test("calls a check not set up, or names it and the number of processes that found it", async () => {
  const { services, page, json, time } = await open({ BASE_URL: "https://cards.example" });
  const failing = async () => {
    throw new Error("smtp.example.com refused secret-word");
  };
  await createHeartbeat(services).beat();
  const { text: unset } = await page();
  for (const shown of ["All systems operational", "Not set up"]) expect(unset).toContain(shown);
  await createHeartbeat(services, { checks: { mail: failing } }).beat();
  time.now += minute;
  const { html, text } = await page();
  const texts = ["Some systems are failing", "Failing: Email. Everything else is operational.", "Failing on 1 of 2"];
  for (const shown of texts) expect(text).toContain(shown);
  const { body } = await json();
  expect(body).toMatchObject({ state: "failing", uptime: { good: 1, failing: 0 } });
  const lookedAt = "2026-11-21T12:00:00.000Z";
  expect(body.checks[2]).toEqual({ name: "mail", state: "failing", failingOn: 1, lookedAt });
  expect(html + JSON.stringify(body)).not.toMatch(/secret-word|smtp\.example/);
});

test("says at once that this process can't write to its storage, although its last record is good, and isn't ready", async () => {
  const { dataDir, json, page, beats, time, visitor } = await open();
  const ready = async () => {
    const response = await visitor().get("/readyz");
    return [response.status, await response.json()];
  };
  await beats(1);
  expect(await ready()).toEqual([
    200,
    { status: "ok", database: "well", files: expect.stringMatching(/^(well|low)$/) },
  ]);
  rmSync(join(dataDir, "files"), { recursive: true });
  time.now += 5_000;
  expect(await ready()).toEqual([503, { status: "failing", database: "well", files: "failing" }]);
  expect((await json()).body).toMatchObject({ state: "failing", uptime: { good: 1, failing: 0 } });
  expect((await page()).text).toContain("Failing: Files. Everything else is operational.");
});

test("writes once for all who ask at the same time, also while the clock is ahead of the database's", async () => {
  const { services, visitor } = await open();
  services.clockCheck.ahead = () => 5_000;
  let writes = 0;
  const { put } = services.files;
  services.files.put = (...file) => {
    writes += 1;
    return put(...file);
  };
  for (const path of ["/readyz", "/status.json", "/readyz", "/status"]) await visitor().get(path);
  expect(writes).toBe(1);
});

test("shows a silence as a gap that counts against the uptime", async () => {
  const { page, json, beats, time } = await open();
  await beats(50);
  time.now += 50 * minute;
  const silent = (await page()).text;
  for (const shown of ["No recent checks", "No checks were recorded since 12:50 UTC on November 21, 2026."])
    expect(silent).toContain(shown);
  await beats(1);
  const { body } = await json();
  expect(body.uptime).toMatchObject({ minutes: 101, good: 51, failing: 0, gap: 50, percent: 50.49 });
  expect(body.stretches).toEqual([
    { kind: "gap", checks: [], from: "2026-11-21T12:50:00.000Z", until: "2026-11-21T13:40:00.000Z", minutes: 50 },
  ]);
  const { text } = await page();
  for (const shown of ["All systems operational", "50 not recorded", "Not recorded", "for 50 min"])
    expect(text).toContain(shown);
});

test("lists every recorded day in numbers, latest first", async () => {
  const { page, services, time } = await open();
  for (const back of [3, 1, 0]) {
    time.now = start - back * 86_400_000;
    await createHeartbeat(services).beat();
  }
  time.now += minute;
  const { html } = await page();
  const rows = html.split("<tr").map((row) => visibleText(`<tr${row}`.split("</tr>")[0] ?? "").trim());
  expect(rows.filter((row) => /\d%$/.test(row)).map((row) => row.replaceAll(" ", ""))).toEqual([
    "Sat,Nov21107200.13%",
    "Fri,Nov20101,4390.06%",
    "Thu,Nov19001,4400.00%",
    "Wed,Nov18107190.13%",
  ]);
  expect(html.match(/<li class="group/g)).toHaveLength(90);
});

test("serves the data to any origin, cached for seconds, and refuses writes", async () => {
  const { json, visitor, signedIn } = await open();
  const { status, headers } = await json();
  expect(status).toBe(200);
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "application/json",
    "access-control-allow-origin": "*",
    "cache-control": "public, max-age=15",
  });
  expect(headers.get("access-control-allow-credentials")).toBeNull();
  expect((await (await signedIn()).get("/status.json")).headers.get("cache-control")).toBe("public, max-age=15");
  expect((await visitor().post("/status.json", {})).status).toBe(405);
});

test("responds with 503 and a plain message while the database is unavailable", async () => {
  const { page, json, beats, services, logLines } = await open();
  await beats(5);
  await services.db.schema.alterTable("status_day").renameTo("away").execute();
  const broken = await page();
  expect([broken.status, broken.headers.get("retry-after")]).toEqual([503, "60"]);
  expect(broken.text).toContain("Status unavailable");
  expect(broken.html).not.toMatch(/status_day|no such table|SQLITE/i);
  const data = await json();
  expect([data.status, data.headers.get("cache-control")]).toEqual([503, "no-store"]);
  expect(data.body).toMatchObject({ state: "failing", uptime: null });
  expect(data.body.checks[0]).toMatchObject({ name: "database", state: "failing" });
  expect(logLines.some(({ msg }) => msg === "the status cannot be read")).toBe(true);
  await services.db.schema.alterTable("away").renameTo("status_day").execute();
  const { status, text } = await page();
  expect([status, text.includes("All systems operational")]).toEqual([200, true]);
});
