import { DatabaseSync } from "node:sqlite";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, describe, expect, test } from "vitest";

import { startProgram } from "../support/program.ts";
import type { Program } from "../support/program.ts";

const programs: Program[] = [];

async function start(env: Record<string, string> = {}) {
  const program = await startProgram(env);
  programs.push(program);
  return program;
}

afterEach(async () => {
  // Two of them may share a folder: it is taken away when nobody writes to it any more.
  const started = programs.splice(0);
  await Promise.all(started.map((program) => program.kill("SIGKILL")));
  for (const program of started) await program.remove();
});

/** A start that fails says one line, and nothing of a stack. */
async function expectRefusal(program: Program, text: RegExp) {
  expect(await program.isUp()).toBe(false);
  expect((await program.ended).code).toBe(1);
  expect(program.errors()).toMatch(text);
  expect(program.errors()).not.toMatch(/\n\s+at /);
  return program.errors().trim().split("\n");
}

describe("the program starts", () => {
  test("with nothing set, says where it is, and keeps its secrets to itself", async () => {
    const program = await start();
    expect(await program.isUp()).toBe(true);
    const health = await fetch(`${program.url}/healthz`);
    expect(await health.json()).toEqual({ status: "ok", database: "ok" });
    await program.kill("SIGTERM");
    expect(program.output()).toContain(`Meishi is at ${program.url}`);
    expect(statSync(join(program.dataDir, "secrets.json")).mode & 0o777).toBe(0o600);
  });

  test("a second time on the same folder, with the same secrets and what was saved", async () => {
    const first = await start();
    await first.isUp();
    const secrets = readFileSync(join(first.dataDir, "secrets.json"), "utf8");
    await first.kill("SIGTERM");
    const second = await start({ DATA_DIR: first.dataDir });
    expect(await second.isUp()).toBe(true);
    expect(readFileSync(join(first.dataDir, "secrets.json"), "utf8")).toBe(secrets);
  });

  test("but not while another one has the folder; that one goes on", async () => {
    const first = await start();
    await first.isUp();
    const lines = await expectRefusal(await start({ DATA_DIR: first.dataDir }), /in use|already|another/i);
    expect(lines).toHaveLength(1);
    expect((await fetch(`${first.url}/card/demo-card`)).status).toBe(200);
  });

  test("not on a port that something else has, and lets the folder go again", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = typeof address === "object" && address ? String(address.port) : "";
    const refused = await startProgram({ PORT: port });
    programs.push(refused);
    expect((await refused.ended).code).toBe(1);
    expect(refused.errors()).toMatch(new RegExp(`Port ${port} is in use`));
    other.close();
    expect(await (await start({ DATA_DIR: refused.dataDir })).isUp()).toBe(true);
  });

  test("not with settings that make no sense, and names each", async () => {
    const program = await start({ PORT: "abc", BASE_URL: "ftp://x", DEMO: "maybe" });
    await expectRefusal(program, /PORT[\s\S]*BASE_URL[\s\S]*DEMO/);
  });

  test("not with a folder that can't be one", async () => {
    const folder = mkdtempSync(join(tmpdir(), "meishi-start-"));
    writeFileSync(join(folder, "file"), "");
    await expectRefusal(await start({ DATA_DIR: join(folder, "file/data") }), /DATA_DIR/);
    rmSync(folder, { recursive: true });
  });

  test("not without the database it was told to use, and does not repeat its password", async () => {
    const program = await start({ DATABASE_URL: "postgres://meishi:topsecret@127.0.0.1:1/meishi" });
    const lines = await expectRefusal(program, /database/i);
    expect(lines).toHaveLength(1);
    expect(program.errors()).not.toContain("topsecret");
  });

  test("not with a database that a newer version made, which stays as it is", async () => {
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

describe("the program stops", () => {
  test("on SIGTERM: finishes what runs, writes the counters, ends with 0", async () => {
    const program = await start();
    await program.isUp();
    const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0 Safari/537.36" };
    const running = Promise.all(
      Array.from({ length: 50 }, () =>
        fetch(`${program.url}/card/demo-card`, { headers: browser }).then((r) => r.text()),
      ),
      // Those that it has not taken any more are refused.
    ).catch(() => []);
    await fetch(`${program.url}/card/demo-card?q`, { headers: browser });
    const { code } = await program.kill("SIGTERM");
    expect(code).toBe(0);
    const pages = await running;
    for (const page of pages) expect(page).toContain("</html>");
    const database = new DatabaseSync(join(program.dataDir, "meishi.db"));
    const row = database
      .prepare("select sum(n) as n from tally where subject = 'card:demo-card' and source = 'qr'")
      .get();
    database.close();
    expect(row).toEqual({ n: 1 });
  });

  test("a visit is written down at once, and survives kill -9", async () => {
    const program = await start();
    await program.isUp();
    await fetch(`${program.url}/card/demo-card`, { headers: { "user-agent": "Mozilla/5.0 (iPhone) Safari/604.1" } });
    const count = () => {
      const database = new DatabaseSync(join(program.dataDir, "meishi.db"), { timeout: 5_000 });
      const row = database.prepare("select sum(n) as n from tally where subject = 'card:demo-card'").get();
      database.close();
      return row;
    };
    await expect.poll(count, { timeout: 5_000 }).toEqual({ n: 1 });
    await program.kill("SIGKILL");
    expect(count()).toEqual({ n: 1 });
  });
});
