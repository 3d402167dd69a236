import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, onTestFinished, test } from "vitest";

import { environment } from "#app/services/config/config.server.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { startProgram } from "#tests/support/program/program.ts";
import { signUpAt, visitorOf } from "#tests/support/program/users.ts";
import { makeTempFolder } from "#tests/support/storage/temp-folder.ts";

const passphrase = "correct horse battery";

/** Runs `npm run backup` or `npm run restore` of the built program, and returns what it prints. */
async function run(args: string[], env: Record<string, string>): Promise<string> {
  const file = join(import.meta.dirname, "../../../build/server/backup.js");
  const { stdout } = await promisify(execFile)(process.execPath, [file, ...args], {
    env: { PATH: environment().PATH, BASE_URL: "http://localhost:3000", ...env },
  });
  return stdout;
}

async function startOwn(env: Record<string, string>) {
  const program = await startProgram(env);
  onTestFinished(() => program.remove());
  await program.isUp();
  return program;
}

/** The SHA-256 of what visitors get. */
async function hashPages(url: string, ownerId: string): Promise<string> {
  const hash = createHash("sha256");
  for (const page of [`/u/${ownerId}`, `/u/${ownerId}/qr.svg`, `/u/${ownerId}/preview.png`])
    hash.update(Buffer.from(await (await visitorOf({ url }).get(page)).arrayBuffer()));
  return hash.digest("hex");
}

test("a daily backup is made beside the program, shown on /status, and restored with every session and page", async () => {
  const program = await startOwn({ BACKUP: "daily", BACKUP_DAYS: "30" });
  const ada = await signUpAt(program, "ada@example.com");
  const settings = { DATA_DIR: program.dataDir, BACKUP: "daily" };
  await expect.poll(() => run(["backup", "--list"], settings)).toMatch(/^meishi-\w{8}-\w+\.tar\n$/);
  const status = async () => (await visitorOf(program).get("/status")).text();
  await expect.poll(status).toContain("kept for 30 days. The last one was made and checked on ");
  await expect.poll(program.output).toContain("It was checked and can be restored.");

  // The daily one may be older than the account.
  const file = join(makeTempFolder(), "now.tar.age");
  const made = await run(["backup", file], { ...settings, BACKUP_PASSPHRASE: passphrase });
  expect(made).toContain(`${file}: accounts: 1, `);
  expect(readFileSync(file, "latin1")).toMatch(/^age-encryption\.org\/v1\n-> scrypt /);
  expect(readFileSync(file, "latin1")).not.toContain("ada@example.com");
  const before = await hashPages(program.url, ada.id);
  await program.kill("SIGTERM");

  for (const engine of listEngines()) {
    const { databaseUrl } = engine === "postgres" ? await makeDatabase(engine, { migrated: false }) : {};
    const target = { DATA_DIR: join(makeTempFolder(), "data"), ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
    await expect(run(["restore", file], target), engine).rejects.toThrow(/is encrypted. Set BACKUP_PASSPHRASE/);
    expect(await run(["restore", file], { ...target, BACKUP_PASSPHRASE: passphrase })).toContain("Start Meishi now.");
    await expect(run(["restore", file], { ...target, BACKUP_PASSPHRASE: passphrase })).rejects.toThrow(/isn't empty/);
    // At the same address, which pages and QR codes contain.
    const restored = await startOwn({ ...target, PORT: String(program.port) });
    const returned = visitorOf(restored);
    for (const [name, value] of ada.cookies) returned.cookies.set(name, value);
    expect((await returned.get("/account")).status, engine).toBe(200);
    expect(await hashPages(restored.url, ada.id), engine).toBe(before);
    await restored.kill("SIGTERM");
  }
});

test("backup and restore say what is wrong with what was typed, and change nothing", async () => {
  const folder = makeTempFolder();
  const settings = { DATA_DIR: join(folder, "data") };
  await expect(run(["backup", join(folder, "b.tar")], settings)).rejects.toThrow(
    /There is no database at .*meishi\.db/,
  );
  const elsewhere = join(folder, "unmounted/missing.tar");
  await expect(run(["restore", "--check", elsewhere], settings)).rejects.toThrow(
    /unmounted\/missing\.tar doesn't exist\.\n/,
  );
  await expect(run(["restore", "missing.tar"], settings)).rejects.toThrow(
    /missing\.tar doesn't exist: not here, and not in/,
  );
  await expect(run(["backup", import.meta.filename], settings)).rejects.toThrow(/A backup replaces nothing/);
  await expect(run(["backup", "--lsit"], settings)).rejects.toThrow(/Usage:/);
  expect(await run(["restore", "--help"], settings)).toContain("npm run restore -- --check <file>");
});
