import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import pino from "pino";
import { afterEach } from "vitest";

import { readConfig } from "#app/services/config.server.ts";
import type { Services } from "#app/services/context.ts";
import { createApp } from "#server/app.ts";
import { openServices } from "#server/services.ts";

import { migrationsFolder } from "./databases.ts";
import { createVisitor } from "./visitor.ts";

type Options = {
  /** Settings as in the environment, over: a temporary DATA_DIR, no demo. */
  env?: Record<string, string>;
  clock?: () => number;
};

export type TestApp = Awaited<ReturnType<typeof createTestApp>>;

/**
 * The whole product in this process, with its own database, mail box and page cache; no port, no build, nothing replaced.
 * Goes after the test. `visitor()` is somebody with a cookie jar; `signedIn()` somebody who has an account.
 */
export async function createTestApp({ env = {}, clock }: Options = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), "meishi-app-"));
  const read = readConfig({ DATA_DIR: dataDir, DEMO: "off", ...env }, dataDir);
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  const logLines: Record<string, unknown>[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void logLines.push(JSON.parse(line)) });
  const { services, close } = await openServices(read.config, {
    migrations: migrationsFolder,
    log,
    answerAfter: 0,
    ...(clock && { clock }),
  });
  const app = await createApp(services);
  toClean.push(async () => {
    await close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const visitor = () => createVisitor(app, services.config.baseUrl);
  return {
    app,
    services,
    dataDir,
    logLines,
    visitor,
    /** The mails sent so far, newest first, read from where they are kept. */
    mails: () => sentMails(services),
    signedIn: (email = "ada@example.com") => signIn(visitor(), services, email),
  };
}

const toClean: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (let clean = toClean.pop(); clean; clean = toClean.pop()) await clean();
});

const password = "correct horse battery";

/** Signs up through the form, follows the link in the mail: what a person does. */
async function signIn(visitor: ReturnType<typeof createVisitor>, services: Services, email: string) {
  await visitor.post("/auth?tab=signup", { intent: "sign-up", email, password });
  const mails = await sentMails(services);
  const mail = mails.find(({ to }) => to === email);
  const link = /https?:\/\/\S+\/auth\/confirm\S*/.exec(mail?.text ?? "")?.[0];
  if (!link) throw new Error(`No confirmation mail for ${email}`);
  await visitor.get(new URL(link).pathname + new URL(link).search);
  const user = await services.db
    .selectFrom("profile" as never)
    .selectAll()
    .execute();
  return { ...visitor, email, password, user };
}

async function sentMails({ jobs, mail }: Services) {
  await jobs.runDue();
  return mail.listKept();
}
