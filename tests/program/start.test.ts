import { DatabaseSync } from "node:sqlite";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, describe, expect, test } from "vitest";

import { startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";

const programs: Program[] = [];

async function start(env: Record<string, string> = {}) {
  const program = await startProgram(env);
  programs.push(program);
  return program;
}

afterEach(async () => {
  // Two programs may share a folder: it is removed after both have ended.
  const started = programs.splice(0);
  await Promise.all(started.map((program) => program.kill("SIGKILL")));
  for (const program of started) await program.remove();
});

/** A failed start prints one line and no stack trace. */
async function expectRefusal(program: Program, text: RegExp) {
  expect(await program.isUp()).toBe(false);
  expect((await program.ended).code).toBe(1);
  expect(program.errors()).toMatch(text);
  expect(program.errors()).not.toMatch(/\n\s+at /);
  return program.errors().trim().split("\n");
}

describe("starting the program", () => {
  test("works without settings, prints its address, and keeps its secrets private", async () => {
    const program = await start();
    expect(await program.isUp()).toBe(true);
    const health = await fetch(`${program.url}/healthz`);
    expect(await health.json()).toEqual({ status: "ok", database: "ok" });
    await program.kill("SIGTERM");
    expect(program.output()).toContain(`Meishi is running at ${program.url}`);
    expect(statSync(join(program.dataDir, "secrets.json")).mode & 0o777).toBe(0o600);
  });

  test("works again on the same folder, with the same secrets and data", async () => {
    const first = await start();
    await first.isUp();
    const secrets = readFileSync(join(first.dataDir, "secrets.json"), "utf8");
    await first.kill("SIGTERM");
    const second = await start({ DATA_DIR: first.dataDir });
    expect(await second.isUp()).toBe(true);
    expect(readFileSync(join(first.dataDir, "secrets.json"), "utf8")).toBe(secrets);
  });

  test("fails while another process uses the folder, and leaves that process running", async () => {
    const first = await start();
    await first.isUp();
    const lines = await expectRefusal(await start({ DATA_DIR: first.dataDir }), /in use|already|another/i);
    expect(lines).toHaveLength(1);
    expect((await fetch(`${first.url}/card/demo-card`)).status).toBe(200);
  });

  test("fails on a used port and releases the folder", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" && address ? String(address.port) : "";
    const refused = await startProgram({ PORT: port });
    programs.push(refused);
    expect((await refused.ended).code).toBe(1);
    expect(refused.errors()).toMatch(new RegExp(`Port ${port} is already in use`));
    other.close();
    expect(await (await start({ DATA_DIR: refused.dataDir })).isUp()).toBe(true);
  });

  test("fails with invalid settings and names each of them", async () => {
    const program = await start({ PORT: "abc", BASE_URL: "ftp://x", DEMO: "maybe" });
    await expectRefusal(program, /PORT[\s\S]*BASE_URL[\s\S]*DEMO/);
  });

  test("fails with a DATA_DIR that can't be a folder", async () => {
    const folder = mkdtempSync(join(tmpdir(), "meishi-start-"));
    writeFileSync(join(folder, "file"), "");
    await expectRefusal(await start({ DATA_DIR: join(folder, "file/data") }), /DATA_DIR/);
    rmSync(folder, { recursive: true });
  });

  test("fails when the configured database is unreachable, without printing its password", async () => {
    const program = await start({ DATABASE_URL: "postgres://meishi:topsecret@127.0.0.1:1/meishi" });
    const lines = await expectRefusal(program, /database/i);
    expect(lines).toHaveLength(1);
    expect(program.errors()).not.toContain("topsecret");
  });

  test("fails with a database of a newer version and leaves it unchanged", async () => {
    const first = await start();
    await first.isUp();
    await first.kill("SIGTERM");
    const file = join(first.dataDir, "meishi.db");
    const database = new DatabaseSync(file);
    database.exec("insert into migration (name, applied_at) values ('9999-from-the-future.sql', 1)");
    database.close();
    const before = readFileSync(file);
    await expectRefusal(await start({ DATA_DIR: first.dataDir }), /newer/);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe("stopping the program", () => {
  test("on SIGTERM finishes running requests, writes the counters and exits with 0", async () => {
    const program = await start();
    await program.isUp();
    const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0 Safari/537.36" };
    const running = Promise.all(
      Array.from({ length: 50 }, () =>
        fetch(`${program.url}/card/demo-card`, { headers: browser }).then((r) => r.text()),
      ),
      // Connections it no longer accepts are refused.
    ).catch(() => []);
    await fetch(`${program.url}/card/demo-card?q`, { headers: browser });
    const { code } = await program.kill("SIGTERM");
    expect(code).toBe(0);
    const pages = await running;
    for (const page of pages) expect(page).toContain("</html>");
    const database = new DatabaseSync(join(program.dataDir, "meishi.db"));
    const row = database
      .prepare("select sum(n) as n from hourly_count where subject = 'card:demo-card' and source = 'qr'")
      .get();
    database.close();
    expect(row).toEqual({ n: 1 });
  });

  test("keeps counted visits after kill -9", async () => {
    const program = await start();
    await program.isUp();
    await fetch(`${program.url}/card/demo-card`, { headers: { "user-agent": "Mozilla/5.0 (iPhone) Safari/604.1" } });
    const count = () => {
      const database = new DatabaseSync(join(program.dataDir, "meishi.db"), { timeout: 5_000 });
      const row = database.prepare("select sum(n) as n from hourly_count where subject = 'card:demo-card'").get();
      database.close();
      return row;
    };
    await expect.poll(count, { timeout: 5_000 }).toEqual({ n: 1 });
    await program.kill("SIGKILL");
    expect(count()).toEqual({ n: 1 });
  });
});
