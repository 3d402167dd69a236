import { expect, onTestFinished, test } from "vitest";

import { makeCard } from "#tests/support/app/cards.ts";
import { profileForm } from "#tests/support/app/profiles.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { endAllConnections, openUnreliableProxy, queryPostgres } from "#tests/support/program/connections.ts";
import { startProgram } from "#tests/support/program/program.ts";
import { signUpAt, visitorOf } from "#tests/support/program/users.ts";

/** One test, because a program of its own for each kind of outage would take longer than the outages. */
test.runIf(listEngines().includes("postgres"))(
  "PostgreSQL restarted, unreachable or hanging: pages and /healthz say so, and later everything works and no count is lost",
  async () => {
    const { databaseUrl = "" } = await makeDatabase("postgres", { migrated: false });
    const network = await openUnreliableProxy(databaseUrl);
    onTestFinished(network.close);
    const program = await startProgram({ DATABASE_URL: network.url });
    onTestFinished(program.remove);
    await program.isUp();
    const visitor = visitorOf(program);
    const statusAt = async (path: string) => (await visitor.get(path)).status;
    const health = () => statusAt("/healthz");
    const state = async () => ((await (await visitor.get("/status.json")).json()) as { state: string }).state;
    const ada = await signUpAt(program, "ada@example.com");
    const cardId = await makeCard(ada);

    // Restarted: the next requests get new connections.
    for (let version = 1; version <= 3; version++) {
      // Some connections are idle, some in a query.
      await Promise.all(Array.from({ length: 8 }, () => ada.get("/profile")));
      const busy = Array.from({ length: 40 }, async () => (await ada.get("/profile")).status);
      await endAllConnections(databaseUrl);
      for (const status of await Promise.all(busy)) expect(status).toBe(200);
      // The server's closing messages have to arrive first.
      await expect.poll(health).toBe(200);
      expect((await ada.get("/profile")).status).toBe(200);
      const change = profileForm({ version: String(version), bio: `Bio ${version}` });
      expect((await ada.post("/profile", change)).status).toBe(302);
      expect(await (await visitor.get(`/u/${ada.id}`)).text()).toContain(`Bio ${version}`);
      expect(await statusAt(`/card/${cardId}`)).toBe(200);
    }
    await expect.poll(state).toBe("well");

    // Unreachable.
    await visitor.get("/card/demo-card?q");
    network.cut();
    // A cached page is still served for a moment.
    expect(await statusAt("/card/demo-card?q")).toBe(200);
    expect(await health()).toBe(503);
    const internal = /ECONNREFUSED|127\.0\.0\.1|postgres|\n\s+at /i;
    for (const [person, path] of [
      [visitor, "/u/demo-user"],
      [visitor, "/u/demo-user/qr.svg"],
      [ada, "/profile"],
    ] as const) {
      const response = await person.get(path);
      expect(response.status, path).toBe(500);
      expect(await response.text()).not.toMatch(internal);
    }
    const login = { intent: "log-in", email: ada.email, password: ada.password };
    expect(await (await visitor.post("/auth", login)).text()).toContain("Something went wrong on our end");
    for (const path of ["/", "/pricing"]) expect(await statusAt(path), path).toBe(200);
    // The status is cached for five seconds; the page of this theme isn't cached yet.
    await expect.poll(() => statusAt("/status.json")).toBe(503);
    const page = await visitor.get("/status", { cookie: "theme=light" });
    expect(page.status).toBe(503);
    const html = await page.text();
    expect(html).toContain("Status unavailable</h1>");
    expect(html).not.toMatch(internal);
    await network.restore();
    await expect.poll(health).toBe(200);
    expect((await ada.get("/profile")).status).toBe(200);
    expect(await statusAt("/u/demo-user")).toBe(200);
    expect((await visitorOf(program).post("/auth", login)).status).toBe(302);
    const visits = "select sum(n)::int as n from hourly_count where source = 'qr'";
    await expect.poll(() => queryPostgres(databaseUrl, visits)).toEqual([{ n: 2 }]);
    await expect.poll(state).toBe("well");

    // Hanging: the program still answers, and still stops.
    network.silence(true);
    expect(await health()).toBe(503);
    for (const path of ["/", "/pricing"]) expect(await statusAt(path), path).toBe(200);
    network.silence(false);
    await expect.poll(health).toBe(200);
    network.silence(true);
    expect((await program.kill("SIGTERM")).code).toBe(0);
    expect(program.errors()).toBe("");
  },
);
