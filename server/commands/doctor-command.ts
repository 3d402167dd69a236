import { fileURLToPath } from "node:url";

import pino from "pino";

import type { Finding } from "#app/features/status/doctor/run-checks.server.ts";
import { examine } from "#app/features/status/doctor/installation-checks.server.ts";
import { environment } from "#app/services/config/config.server.ts";

const usage = `Usage: npm run doctor -- [--mail <address>]

Checks the settings, data folder, database, files, backups, email, certificates, and how visitors reach this
installation. Run it with the settings of the running program. With --mail, it sends a test email.
Exits with 1 if something is broken; warnings don't count.`;

const marks: Record<Finding["state"], string> = { ok: "ok     ", warning: "warning", error: "ERROR  " };

async function run(given: string[]): Promise<number> {
  const [option, testAddress, ...more] = given;
  const isRight = option === undefined || (option === "--mail" && testAddress?.includes("@") && more.length === 0);
  if (!isRight) {
    process.stdout.write(`${usage}\n`);
    return option === "--help" || option === "-h" ? 0 : 2;
  }
  const findings = examine({
    env: environment(),
    cwd: process.cwd(),
    migrations: fileURLToPath(new URL("../../migrations", import.meta.url)),
    log: pino({ level: "silent" }),
    testAddress,
  });
  const counts = { ok: 0, warning: 0, error: 0 };
  for await (const { name, state, text, fix } of findings) {
    counts[state] += 1;
    process.stdout.write(`${marks[state]}  ${name.padEnd(21)} ${text}\n`);
    if (fix && state !== "ok") process.stdout.write(`${" ".repeat(31)} ${fix}\n`);
  }
  process.stdout.write(`\n${counts.ok} ok, ${counts.warning} warnings, ${counts.error} errors\n`);
  return counts.error > 0 ? 1 : 0;
}

process.exitCode = await run(process.argv.slice(2));
