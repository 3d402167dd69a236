import { expect, test } from "vitest";

import { createHeartbeat } from "#app/features/status/health.server.ts";

import { createTestApp } from "#tests/support/app/test-app.ts";

const start = Date.UTC(2026, 10, 21, 12);
const minute = 60_000;

async function open(env: Record<string, string> = {}) {
  const time = { now: start };
  const app = await createTestApp({ env, clock: () => time.now });
  const visitor = app.visitor();
  return {
    ...app,
    time,
    page: async () => {
      const response = await visitor.get("/status");
      return { status: response.status, html: textOf(await response.text()), headers: response.headers };
    },
    json: async () => {
      const response = await visitor.get("/status.json");
      return { status: response.status, body: JSON.parse(await response.text()), headers: response.headers };
    },
    beats: async (count: number) => {
      const heartbeat = createHeartbeat(app.services);
      for (let n = 0; n < count; n++, time.now += minute) await heartbeat.beat();
      return heartbeat;
    },
  };
}

/** The page without the comments that React puts between texts. */
function textOf(html: string): string {
  return html.replaceAll("<!-- -->", "");
}

test("says that nothing is recorded yet before the first heartbeat", async () => {
  const { page, json } = await open();
  const { status, html } = await page();
  expect(status).toBe(200);
  expect(html).toContain("No data yet");
  expect(html).toContain("Unknown");
  expect(html).not.toMatch(/\d%/);
  expect((await json()).body).toMatchObject({ state: "unknown", instances: [], uptime: null, days: [], stretches: [] });
});

test("shows the state, the last check and the minutes that the uptime covers", async () => {
  const { page, beats } = await open();
  const { id } = await beats(10);
  const { html } = await page();
  expect(html).toContain("<title>Status | Meishi</title>");
  expect(html).toContain("All systems operational");
  expect(html).toContain("Last checked at 12:09 UTC on November 21, 2026.");
  expect(html).toContain("Up for 10 of 10 minutes since 12:00 UTC on November 21, 2026.");
  expect(html).toMatch(/<p class="text-lg[^>]*>100% of 10 minutes/);
  expect(html).toContain("No incidents.");
  expect(html).toContain(`Process ${id.slice(0, 8)}`);
  expect(html).not.toContain(id);
});

test("names a failing check and the number of processes that found it", async () => {
  const { services, page, json, time } = await open();
  const failing = async () => {
    throw new Error("smtp.example.com refused secret-word");
  };
  await createHeartbeat(services).beat();
  await createHeartbeat(services, { checks: { mail: failing } }).beat();
  time.now += minute;
  const { html } = await page();
  expect(html).toContain("Some systems are failing");
  expect(html).toContain("Failing: Email. Everything else is operational.");
  expect(html).toContain("Failing on 1 of 2");
  const { body } = await json();
  expect(body.state).toBe("failing");
  expect(body.checks[2]).toEqual({
    name: "mail",
    state: "failing",
    failingOn: 1,
    lookedAt: "2026-11-21T12:00:00.000Z",
  });
  // One process found everything well: the minute counts as good.
  expect(body.uptime).toMatchObject({ good: 1, failing: 0 });
  expect(html + JSON.stringify(body)).not.toMatch(/secret-word|smtp\.example/);
});

test("reports unconfigured mail as such, not as failing", async () => {
  const { page, beats } = await open({ BASE_URL: "https://cards.example" });
  await beats(2);
  const { html } = await page();
  expect(html).toContain("All systems operational");
  expect(html).toContain("Not set up");
});

test("shows a silence as a gap that counts against the uptime", async () => {
  const { page, json, beats, time } = await open();
  await beats(50);
  time.now += 50 * minute;
  const silent = await page();
  expect(silent.html).toContain("No recent checks");
  expect(silent.html).toContain("No checks were recorded since 12:50 UTC on November 21, 2026.");
  await beats(1);
  const { body } = await json();
  expect(body.uptime).toMatchObject({ minutes: 101, good: 51, failing: 0, gap: 50, percent: 50.49 });
  expect(body.stretches).toEqual([
    { kind: "gap", checks: [], from: "2026-11-21T12:50:00.000Z", until: "2026-11-21T13:40:00.000Z", minutes: 50 },
  ]);
  const { html } = await page();
  expect(html).toContain("All systems operational");
  expect(html).toContain("50 not recorded");
  expect(html).toContain("Not recorded");
  expect(html).toContain("for 50 min");
});

test("lists every recorded day in numbers, latest first", async () => {
  const { page, services, time } = await open();
  for (const back of [3, 1, 0]) {
    time.now = start - back * 86_400_000;
    await createHeartbeat(services).beat();
  }
  time.now += minute;
  const { html } = await page();
  const rows = html.match(/<tr class="border-t.*?<\/tr>/g) ?? [];
  expect(rows.map((row) => row.replaceAll(/<[^>]+>/g, "|").replaceAll(/\|+/g, "|"))).toEqual([
    expect.stringMatching(/^\|Sat, \|Nov 21\|1\|0\|720\|0\.13%\|$/),
    expect.stringMatching(/^\|Fri, \|Nov 20\|1\|0\|1,439\|0\.06%\|$/),
    expect.stringMatching(/^\|Thu, \|Nov 19\|0\|0\|1,440\|0\.00%\|$/),
    expect.stringMatching(/^\|Wed, \|Nov 18\|1\|0\|719\|0\.13%\|$/),
  ]);
  expect(html.match(/<li class="group/g)).toHaveLength(90);
});

test("caches the page until the next minute", async () => {
  const { page, beats } = await open();
  await beats(1);
  expect((await page()).html).toContain("Up for 1 of 1 minute since");
  await beats(1);
  expect((await page()).html).toContain("Up for 2 of 2 minutes");
});

test("serves the data to any origin, cached for seconds, and refuses writes", async () => {
  const { json, visitor, signedIn } = await open();
  const { status, headers } = await json();
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("application/json");
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("access-control-allow-credentials")).toBeNull();
  expect(headers.get("cache-control")).toBe("public, max-age=15");
  const ada = await signedIn();
  expect((await ada.get("/status.json")).headers.get("cache-control")).toBe("public, max-age=15");
  const written = await visitor().post("/status.json", {});
  expect(written.status).toBe(405);
});

test("responds with 503 and a plain message while the database is unavailable", async () => {
  const { page, json, beats, services, logLines } = await open();
  await beats(5);
  await services.db.schema.alterTable("status_day").renameTo("away").execute();
  const broken = await page();
  expect(broken.status).toBe(503);
  expect(broken.headers.get("retry-after")).toBe("60");
  expect(broken.html).toContain("Status unavailable");
  expect(broken.html).not.toMatch(/status_day|no such table|SQLITE/i);
  const data = await json();
  expect(data.status).toBe(503);
  expect(data.headers.get("cache-control")).toBe("no-store");
  expect(data.body).toMatchObject({ state: "failing", uptime: null });
  expect(data.body.checks[0]).toMatchObject({ name: "database", state: "failing" });
  expect(logLines.some(({ msg }) => msg === "the status can't be read")).toBe(true);
  await services.db.schema.alterTable("away").renameTo("status_day").execute();
  const { status, html } = await page();
  expect(status).toBe(200);
  expect(html).toContain("All systems operational");
});
