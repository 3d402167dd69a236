import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, onTestFinished, test } from "vitest";

import { environment } from "#app/services/config/config.server.ts";
import { checkPass } from "#tests/support/fixtures/wallet/check-pass.ts";

const file = join(import.meta.dirname, "../../build/server/wallet.js");

test("demo-certificates writes settings with which check makes a good pass, and replaces nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "meishi-wallet-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const run = (args: string[], env: Record<string, string> = {}) =>
    promisify(execFile)(process.execPath, [file, ...args], { cwd: folder, env: { PATH: environment().PATH, ...env } });
  expect((await run(["demo-certificates", "certificates"])).stdout).toContain("settings.env");
  await expect(run(["demo-certificates", "certificates"])).rejects.toMatchObject({
    stderr: expect.stringContaining("EEXIST"),
  });
  const text = readFileSync(join(folder, "certificates/settings.env"), "utf8");
  expect(text).toMatch(/^# DEMO certificates for development only/);
  const lines = text.split("\n").filter((line) => line.includes("=") && !line.startsWith("#"));
  const settings = Object.fromEntries(
    lines.map((line): [string, string] => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  expect((await run(["check"], settings)).stdout).toContain("The settings are right: pass.example.meishi.demo");
  const root = readFileSync(join(folder, "certificates/demo-root.pem"), "utf8");
  expect((await checkPass(readFileSync(join(folder, "sample.pkpass")), root)).problems).toEqual([]);
  await expect(run(["check"], { ...settings, APPLE_PASS_PASSWORD: "wrong" })).rejects.toMatchObject({
    stderr: expect.stringMatching(/^APPLE_PASS_PASSWORD is not the password/),
  });
  await expect(run(["check"])).rejects.toMatchObject({ stderr: expect.stringContaining("isn't set") });
  await expect(run(["cheque"])).rejects.toMatchObject({ stderr: expect.stringContaining("Usage: npm run wallet") });
});
