import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

import { environment } from "#app/services/config/config.server.ts";
import { openDatabase } from "#app/services/database/database.server.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { addPasskey, insertAccount } from "#tests/support/program/database.ts";
import { startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";
import { signUpAt, visitorOf, waitForMail } from "#tests/support/program/users.ts";

const file = join(import.meta.dirname, "../../build/server/account.js");

/** Runs the command beside the program, with the same settings. */
function commandOf(program: Pick<Program, "dataDir" | "url">, more: Record<string, string> = {}) {
  const env = { PATH: environment().PATH, DATA_DIR: program.dataDir, BASE_URL: program.url, ...more };
  return (...args: string[]) => promisify(execFile)(process.execPath, [file, ...args], { env });
}

/** The program of the tests that need only one, on SQLite. */
let program: Program;
beforeAll(async () => {
  program = await startProgram();
  await program.isUp();
});
afterAll(() => program.remove());

test("reset-2fa removes the factors of a running program's account, signs it out and mails its owner", async () => {
  const { id, name, value } = await insertAccount(program, "ada@example.com");
  addPasskey(program, id);
  const open = () => fetch(`${program.url}/account`, { redirect: "manual", headers: { cookie: `${name}=${value}` } });
  expect((await open()).status).toBe(200);
  const run = commandOf(program);
  expect((await run("reset-2fa", "Ada@Example.com")).stdout).toContain("is off, its passkeys are removed");
  expect((await open()).status).toBe(302);
  expect((await run("reset-2fa", "ada@example.com")).stdout).toContain("Nothing was changed.");
  expect(await waitForMail(program, "ada@example.com")).toContain("Two-step verification was reset");
});

describe.each(listEngines())("npm run account, on %s", (engine) => {
  async function open() {
    const { databaseUrl } = await makeDatabase(engine, { migrated: false });
    const settings = databaseUrl ? { DATABASE_URL: databaseUrl } : undefined;
    const program = await startProgram(settings);
    onTestFinished(program.remove);
    await program.isUp();
    const listActions = async () => {
      const { db, close } = await openDatabase({ dataDir: program.dataDir, databaseUrl });
      const rows = await db.selectFrom("operator_log").selectAll().orderBy("created_at").execute();
      await close();
      return rows.map(({ action, detail, admin_id }) => [action, detail, admin_id]);
    };
    return { program, listActions, run: commandOf(program, settings) };
  }

  test("blocks, unblocks, signs out and deletes an account of the running program, and logs it", async () => {
    const { program, listActions, run } = await open();
    const ada = await signUpAt(program, "ada@example.com");
    const page = async () => (await visitorOf(program).get(`/u/${ada.id}`)).status;
    const form = { intent: "log-in", email: ada.email, password: ada.password };
    const signIn = async () => (await ada.post("/auth", form)).status;
    expect(await page()).toBe(200);

    expect((await run("block", "ada@example.com", "Sells", "spam")).stdout).toContain("is blocked");
    expect((await ada.get("/account")).status).toBe(302);
    expect(await signIn()).toBe(403);
    await expect.poll(page, { timeout: 10_000 }).toBe(404);
    await run("unblock", "ada@example.com");
    await expect.poll(page, { timeout: 10_000 }).toBe(200);

    expect(await signIn()).toBe(302);
    expect((await ada.get("/account")).status).toBe(200);
    await run("sign-out", "ada@example.com");
    expect((await ada.get("/account")).status).toBe(302);

    await run("delete", "ada@example.com");
    await expect.poll(page, { timeout: 10_000 }).toBe(404);
    expect(await signIn()).toBe(400);
    await expect.poll(() => waitForMail(program, ada.email)).toContain("Your account was deleted");
    expect((await listActions()).map(([action]) => action)).toEqual(["block", "unblock", "sign-out", "delete"]);
  });

  test("grants Premium until a day and revokes it", async () => {
    const { program, listActions, run } = await open();
    const ada = await signUpAt(program, "ada@example.com");
    const hasBranding = async () =>
      (await (await visitorOf(program).get(`/u/${ada.id}`)).text()).includes("Made with Meishi");
    expect(await hasBranding()).toBe(true);
    expect((await run("grant", "Ada@Example.com", "premium", "2039-12-31")).stdout).toContain("has Premium");
    await expect.poll(hasBranding, { timeout: 10_000 }).toBe(false);
    expect(await waitForMail(program, ada.email)).toContain("You have Premium until December 31, 2039");
    expect((await run("revoke", "ada@example.com")).stdout).toContain("no longer has the Premium");
    await expect.poll(hasBranding, { timeout: 10_000 }).toBe(true);
    expect((await run("revoke", "ada@example.com")).stdout).toContain("Nothing was changed.");
    expect(await listActions()).toEqual([
      ["grant", "", ""],
      ["revoke", "", ""],
    ]);
  });

  test("confirms an email and asks its owner to set a password", async () => {
    const { program, listActions, run } = await open();
    const form = { email: "ada@example.com", password: "a stranger's word" };
    await visitorOf(program).post("/auth?tab=signup", { intent: "sign-up", ...form });
    expect((await run("confirm", form.email)).stdout).toContain("ada@example.com is confirmed.");
    await expect.poll(() => waitForMail(program, form.email)).toContain("set a password");
    expect((await visitorOf(program).post("/auth", { intent: "log-in", ...form })).status).toBe(400);
    expect(await listActions()).toEqual([["confirm", "", ""]]);
  });
});

test("npm run account explains itself, and refuses what it doesn't know", async () => {
  const run = commandOf(program);
  const { stdout } = await run("--help");
  for (const name of ["reset-2fa", "block", "unblock", "confirm", "grant", "revoke", "sign-out", "delete"])
    expect(stdout).toContain(name);
  await expect(run("reset-2fa", "nobody@example.com")).rejects.toThrow("No account has the email");
  const wrong = [
    ["reset"],
    ["block"],
    ["delete", "ada"],
    ["toString", "a@b.c"],
    ["delete", "a@b.c", "now"],
    ["grant", "a@b.c"],
    ["grant", "a@b.c", "gold"],
  ];
  for (const args of wrong) await expect(run(...args)).rejects.toThrow("Usage: npm run account -- <command> <email>");
  await expect(run("grant", "a@b.c", "premium", "2020-01-01")).rejects.toThrow("a day that isn't over");
  await expect(run("block", "a@b.c", "x".repeat(201))).rejects.toThrow("at most 200 characters");
});
