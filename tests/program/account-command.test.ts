import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, expect, test } from "vitest";

import { environment } from "#app/services/config/config.server.ts";
import { createTestApp } from "#tests/support/app/test-app.ts";
import { listEngines, makeDatabase } from "#tests/support/database/databases.ts";
import { addPasskey, insertAccount, withDatabase } from "#tests/support/program/database.ts";
import { startProgram } from "#tests/support/program/program.ts";
import type { Program } from "#tests/support/program/program.ts";
import { signUpAt, visitorOf, waitForMail } from "#tests/support/program/users.ts";

const file = join(import.meta.dirname, "../../build/server/account.js");

let program: Program;
beforeAll(async () => {
  program = await startProgram();
  await program.isUp();
});
afterAll(() => program.remove());

/** Runs the command beside the program, with the same settings; returns what it prints. */
async function run(...args: string[]): Promise<string> {
  const env = { PATH: environment().PATH, DATA_DIR: program.dataDir, BASE_URL: program.url };
  return (await promisify(execFile)(process.execPath, [file, ...args], { env })).stdout;
}

const listActions = (ownerId: string) =>
  withDatabase(program.dataDir, (database) =>
    database
      .prepare("select action, detail, admin_id from operator_log where owner_id = ? order by created_at")
      .all(ownerId)
      .map((row) => Object.values(row)),
  );

test("blocks, unblocks, signs out and deletes an account of the running program, and logs it", async () => {
  const ada = await signUpAt(program, "ada@example.com");
  const page = async () => (await visitorOf(program).get(`/u/${ada.id}`)).status;
  const account = async () => (await ada.get("/account")).status;
  const form = { intent: "log-in", email: ada.email, password: ada.password };
  const signIn = async () => (await ada.post("/auth", form)).status;
  expect(await page()).toBe(200);

  expect(await run("block", "Ada@Example.com", "Sells", "spam")).toContain("is blocked");
  expect([await account(), await signIn()]).toEqual([302, 403]);
  await expect.poll(page).toBe(404);
  await run("unblock", ada.email);
  await expect.poll(page).toBe(200);

  expect([await signIn(), await account()]).toEqual([302, 200]);
  await run("sign-out", ada.email);
  expect(await account()).toBe(302);

  expect(listActions(ada.id)).toEqual([
    ["block", "Sells spam", ""],
    ["unblock", "", ""],
    ["sign-out", "", ""],
  ]);
  await run("delete", ada.email);
  await expect.poll(page).toBe(404);
  expect(await signIn()).toBe(400);
  await expect.poll(() => waitForMail(program, ada.email)).toContain("Your account was deleted");
  expect(listActions(ada.id).at(-1)?.[0]).toBe("delete");
});

test("grants Premium until a day, revokes it, and resets two-step verification", async () => {
  const { id, name, value } = await insertAccount(program, "bob@example.com");
  addPasskey(program, id);
  const account = async () =>
    (await fetch(`${program.url}/account`, { redirect: "manual", headers: { cookie: `${name}=${value}` } })).status;
  const hasBranding = async () =>
    (await (await visitorOf(program).get(`/u/${id}`)).text()).includes("Made with Meishi");
  await fetch(`${program.url}/profile`, { headers: { cookie: `${name}=${value}` } });
  expect(await hasBranding()).toBe(true);
  expect(await run("grant", "bob@example.com", "premium", "2039-12-31")).toContain("has Premium");
  await expect.poll(hasBranding).toBe(false);
  expect(await waitForMail(program, "bob@example.com")).toContain("You have Premium until December 31, 2039");
  expect(await run("revoke", "bob@example.com")).toContain("no longer has the Premium");
  await expect.poll(hasBranding).toBe(true);
  expect(await run("revoke", "bob@example.com")).toContain("Nothing was changed.");

  expect(await account()).toBe(200);
  expect(await run("reset-2fa", "bob@example.com")).toContain("is off, its passkeys are removed");
  expect(await account()).toBe(302);
  await expect.poll(() => waitForMail(program, "bob@example.com")).toContain("Two-step verification was reset");
  expect(listActions(id).map(([action]) => action)).toEqual(["grant", "revoke", "reset-two-step"]);
});

test("confirms an email and asks its owner to set a password", async () => {
  const form = { email: "cy@example.com", password: "a stranger's word" };
  await visitorOf(program).post("/auth?tab=signup", { intent: "sign-up", ...form });
  expect(await run("confirm", form.email)).toContain("cy@example.com is confirmed.");
  await expect.poll(() => waitForMail(program, form.email)).toContain("set a password");
  expect((await visitorOf(program).post("/auth", { intent: "log-in", ...form })).status).toBe(400);
});

test.runIf(listEngines().includes("postgres"))("works on PostgreSQL", async () => {
  const { databaseUrl: DATABASE_URL = "" } = await makeDatabase("postgres");
  const { signedIn, services, dataDir } = await createTestApp({ env: { DATABASE_URL } });
  const ada = await signedIn();
  const env = { PATH: environment().PATH, DATA_DIR: dataDir, BASE_URL: program.url, DATABASE_URL };
  await promisify(execFile)(process.execPath, [file, "block", ada.email], { env });
  expect((await ada.get("/account")).status).toBe(302);
  expect(await services.db.selectFrom("operator_log").select(["action", "detail"]).execute()).toEqual([
    { action: "block", detail: "Blocked on the command line" },
  ]);
});

test("explains itself, and refuses what it doesn't know", async () => {
  const help = await run("--help");
  for (const name of ["reset-2fa", "block", "unblock", "confirm", "grant", "revoke", "sign-out", "delete"])
    expect(help).toContain(name);
  await expect(run("reset-2fa", "nobody@example.com")).rejects.toThrow("No account has the email");
  for (const args of [
    ["delete", "ada"],
    ["delete", "a@b.c", "now"],
    ["grant", "a@b.c", "gold"],
  ])
    await expect(run(...args)).rejects.toThrow("Usage: npm run account -- <command> <email>");
  await expect(run("grant", "a@b.c", "premium", "2020-01-01")).rejects.toThrow("a day that isn't over");
  await expect(run("block", "a@b.c", "x".repeat(201))).rejects.toThrow("at most 200 characters");
});
