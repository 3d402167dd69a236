import { expect, onTestFinished, test } from "vitest";

import { fieldValue } from "#tests/support/app/cards.ts";
import { profileForm } from "#tests/support/app/profiles.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { openUnreliableProxy } from "#tests/support/program/connections.ts";

test.runIf(listEngines().includes("postgres"))(
  "without its database the site says that it is back in a moment, as pages and as JSON, and serves the public pages that it has",
  async () => {
    const network = await openUnreliableProxy((await makeDatabase("postgres")).databaseUrl ?? "");
    onTestFinished(network.close);
    const time = { now: Date.now() };
    const { signedIn, visitor } = await createTestApp({
      env: { DATABASE_URL: network.url, DEMO: "on" },
      clock: () => time.now,
    });
    const ada = await signedIn();
    expect((await visitor().get("/u/demo-user")).headers.get("cache-control")).toBe("no-cache");
    network.cut();
    time.now += 60_001;

    const stale = await visitor().get("/u/demo-user");
    expect([stale.status, stale.headers.get("cache-control")]).toEqual([200, "max-age=10"]);
    const login = { intent: "log-in", email: ada.email, password: ada.password };
    const refused = [
      [ada, "/profile", "text/html", "Back in a moment</h1>"],
      [ada, "/profile.data", "text/x-script", '"ErrorResponse"'],
      [visitor(), "/card/demo-card", "text/html", "Back in a moment</h1>"],
      [ada, "/functions/v1/lead-counts", "application/json", '{"error":"Back in a moment.'],
    ] as const;
    for (const [client, path, type, text] of refused) {
      const response = await client.get(path);
      expect([path, response.status, response.headers.get("retry-after")]).toEqual([path, 503, "10"]);
      expect(response.headers.get("content-type")).toContain(type);
      expect(await response.text()).toContain(text);
    }
    expect((await ada.post("/profile", profileForm({ version: "1" }))).status).toBe(503);
    const form = await visitor().post("/auth", login);
    expect([form.status, fieldValue(await form.text(), "email")]).toEqual([503, ada.email]);

    await network.restore();
    expect((await ada.get("/profile")).status).toBe(200);
    await expect.poll(async () => (await visitor().get("/u/demo-user")).headers.get("cache-control")).toBe("no-cache");
  },
);
