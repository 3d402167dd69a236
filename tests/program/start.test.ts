import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { withDatabase } from "#tests/support/program/database.ts";
import { startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";

async function start(env: Record<string, string> = {}) {
  const program = await startProgram(env);
  onTestFinished(program.remove);
  return program;
}

/** A failed start prints its problems and no stack trace. Returns the lines. */
async function linesOfRefusal(program: Program) {
  expect((await program.ended).code).toBe(1);
  expect(program.errors()).not.toMatch(/\n\s+at /);
  return program.errors().trim().split("\n");
}

test("starts without settings, alone on its folder, and after kill -9 again with the same secrets and counted visits", async () => {
  const first = await start();
  expect(await first.isUp()).toBe(true);
  expect(await (await fetch(`${first.url}/healthz`)).json()).toEqual({ status: "ok", database: "ok" });
  expect(first.output()).toContain(`Meishi is running at ${first.url}`);
  const secretsFile = join(first.dataDir, "secrets.json");
  expect(statSync(secretsFile).mode & 0o777).toBe(0o600);
  const secrets = readFileSync(secretsFile, "utf8");
  const folder = { DATA_DIR: first.dataDir };

  expect(await linesOfRefusal(await start(folder))).toEqual([expect.stringMatching(/Another Meishi process/)]);
  await fetch(`${first.url}/card/demo-card`, { headers: { "user-agent": "Mozilla/5.0 (iPhone) Safari/604.1" } });
  const count = () =>
    withDatabase(first.dataDir, (database) =>
      database.prepare("select sum(n) as n from hourly_count where subject = 'card:demo-card'").get(),
    );
  await expect.poll(count).toEqual({ n: 1 });
  await first.kill("SIGKILL");

  // A start on a used port releases the folder.
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const address = other.address();
  const port = typeof address === "object" && address ? String(address.port) : "";
  const [line] = await linesOfRefusal(await start({ ...folder, PORT: port }));
  expect(line).toContain(`Port ${port} is already in use`);
  other.close();
  const again = await start(folder);
  expect(await again.isUp()).toBe(true);
  expect(readFileSync(secretsFile, "utf8")).toBe(secrets);
  expect(count()).toEqual({ n: 1 });
});

test("fails with invalid settings and names each of them", async () => {
  const lines = await linesOfRefusal(await start({ PORT: "abc", BASE_URL: "ftp://x", DEMO: "maybe" }));
  expect(lines.join("\n")).toMatch(/PORT[\s\S]*BASE_URL[\s\S]*DEMO/);
});

test("fails in one line when the configured database is unreachable, without printing its password", async () => {
  const lines = await linesOfRefusal(await start({ DATABASE_URL: "postgres://meishi:topsecret@127.0.0.1:1/meishi" }));
  expect(lines).toEqual([expect.stringMatching(/database/i)]);
  expect(lines[0]).not.toContain("topsecret");
});
