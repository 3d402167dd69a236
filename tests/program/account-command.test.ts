import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { environment } from "#app/services/config/config.server.ts";
import { addPasskey, insertAccount } from "#tests/support/program/database.ts";
import { startProgram } from "#tests/support/program/program.ts";

const file = join(import.meta.dirname, "../../build/server/account.js");

test("reset-2fa removes the factors of a running program's account, signs it out and mails its owner", async ({
  onTestFinished,
}) => {
  const program = await startProgram();
  onTestFinished(program.remove);
  await program.isUp();
  const { id, name, value } = await insertAccount(program, "ada@example.com");
  addPasskey(program, id);
  const open = () => fetch(`${program.url}/account`, { redirect: "manual", headers: { cookie: `${name}=${value}` } });
  expect((await open()).status).toBe(200);
  const env = { PATH: environment().PATH, DATA_DIR: program.dataDir, BASE_URL: program.url };
  const run = (...args: string[]) => promisify(execFile)(process.execPath, [file, ...args], { env });
  expect((await run("reset-2fa", "Ada@Example.com")).stdout).toContain("is off, its passkeys are removed");
  expect((await open()).status).toBe(302);
  expect((await run("reset-2fa", "ada@example.com")).stdout).toContain("Nothing was changed.");
  await expect
    .poll(async () => (await fetch(`${program.url}/dev/mail`)).text(), { timeout: 10_000 })
    .toContain("Two-step verification was reset");
  await expect(run("reset-2fa", "nobody@example.com")).rejects.toThrow("No account has the email");
  await expect(run("reset")).rejects.toThrow("Usage: npm run account -- reset-2fa");
});
