import { join } from "node:path";

import pino from "pino";

import { accountMail } from "#app/features/account/account-mails.ts";
import { createAuth } from "#app/services/auth/auth.server.ts";
import { isStartProblem, startProblem } from "#app/services/base/errors.ts";
import { environment, readConfig } from "#app/services/config/config.server.ts";
import { openSecrets } from "#app/services/config/secrets.server.ts";
import { openDatabase } from "#app/services/database/database.server.ts";
import { createJobs } from "#app/services/jobs/jobs.server.ts";

const usage = "Usage: npm run account -- reset-2fa <email>";

/**
 * The operator's commands for one account: `reset-2fa <email>` for an owner who lost their second factor. Works while Meishi is running, whose
 * data folder it doesn't lock; the mail is sent by the running program, or after its next start.
 */
async function run([command, email = "", ...rest]: string[]): Promise<string> {
  if (command !== "reset-2fa" || !email.includes("@") || rest.length > 0) throw startProblem(usage);
  const read = readConfig(environment(), process.cwd());
  if ("problems" in read) throw startProblem(read.problems.join("\n"));
  const { config } = read;
  const log = pino({ level: "error" }, pino.destination(2));
  const { db, engine, close } = await openDatabase({ ...config, log });
  try {
    const secret = openSecrets(join(config.dataDir, "secrets.json")).secret("auth");
    const jobs = createJobs({ db, clock: Date.now, log, handlers: {} });
    const auth = createAuth({
      db,
      engine,
      config,
      secret,
      log,
      enqueueMail: (message, trx) => jobs.enqueue(trx ?? db, "mail", accountMail(message, config.baseUrl)),
      enqueuePicture: (picture, trx) => jobs.enqueue(trx, "provider-picture", picture),
    });
    const userId = await auth.findUserId(email.trim().toLowerCase());
    if (userId === undefined) throw startProblem(`No account has the email ${email}.`);
    if (!(await auth.resetFactors(userId)))
      return `${email} has no second factor and no passkeys. Nothing was changed.`;
    return `Two-step verification of ${email} is off, its passkeys are removed, and it is signed out everywhere. Its owner gets an email.`;
  } finally {
    await close();
  }
}

run(process.argv.slice(2)).then(
  (text) => process.stdout.write(`${text}\n`),
  (error: unknown) => {
    const text = isStartProblem(error) ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${text}\n`);
    process.exitCode = 1;
  },
);
