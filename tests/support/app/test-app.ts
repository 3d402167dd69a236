import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import pino from "pino";

import { readConfig } from "#app/services/config/config.server.ts";
import type { Feature } from "#app/services/features/feature.ts";
import type { Services } from "#app/services/http/context.ts";
import { createApp } from "#server/app.ts";
import { features as allFeatures } from "#server/features.ts";
import { openServices } from "#server/services.ts";

import {
  copyMigratedDatabase,
  listEngines,
  makeDatabase,
  migrationsFolder,
} from "#tests/support/database/databases.ts";
import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { insertRows } from "#tests/support/database/account-rows.ts";
import { testWorkers } from "#tests/support/workers.ts";
import { accountRows, cheapPasswordCost, seededPassword, sessionCookie } from "#tests/support/database/seed.ts";
import { createVisitor } from "./visitor.ts";
import type { Visitor } from "./visitor.ts";

type TestAppOptions = {
  /** Settings as in the environment; they override a temporary DATA_DIR and DEMO=off. */
  env?: Record<string, string>;
  clock?: () => number;
  /** All of the product's by default. */
  features?: readonly Feature[];
  /** See openServices: apps with the same one share rendered pages. */
  program?: string;
  /** See openServices: servers of the test from which images may be loaded, and to which messages may be sent. */
  allowedOrigins?: readonly string[];
  /** See createAuth. */
  accessTokenSeconds?: number;
  /** An app that is stopped, and whose folder and database this one opens. */
  restarted?: { dataDir: string; services: Services; close(): Promise<void> };
};

export type TestApp = Awaited<ReturnType<typeof createTestApp>>;

/**
 * The whole product in this process, with its own database, mailbox and page cache; no port, no build, nothing replaced. Closes after
 * the test. Costs 10 ms: its modules are loaded once per worker. `visitor()` is a client with a cookie jar.
 */
export async function createTestApp(options: TestAppOptions = {}) {
  const { env = {}, clock, program, features = allFeatures, allowedOrigins = [], restarted } = options;
  await restarted?.close();
  const dataDir = restarted?.dataDir ?? mkdtempSync(join(tmpdir(), "meishi-app-"));
  const database = restarted ? databaseOf(restarted.services) : await defaultDatabase(dataDir);
  const read = readConfig({ DATA_DIR: dataDir, DEMO: "off", ...database, ...env }, dataDir);
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  const logLines: Record<string, unknown>[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void logLines.push(JSON.parse(line)) });
  const { services, close } = await openServices(read.config, {
    migrations: migrationsFolder,
    workers: testWorkers,
    log,
    features,
    minResponseMs: 0,
    passwordCost: cheapPasswordCost,
    allowedOrigins,
    ...(clock && { clock }),
    ...(program && { program }),
    accessTokenSeconds: options.accessTokenSeconds,
  });
  const app = await createApp(services, { features });
  cleanUpAfterTest(async () => {
    await close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const visitor = () => createVisitor(app, services.config.baseUrl);
  return {
    app,
    services,
    dataDir,
    logLines,
    close,
    visitor,
    /** The mails sent so far, or those with this in the subject, newest first. Mails that waited together are sent in any order. */
    mails: async (subject = "") => (await sentMails(services)).filter((mail) => mail.subject.includes(subject)),
    /** A visitor signed in to a new, confirmed account that was written into the database. */
    signedIn: (email = "ada@example.com") => seedUser({ visitor: visitor(), services, dataDir, email }),
    /** The same by way of the sign-up form and the link in the mail. */
    signedUp: (email = "ada@example.com") => signUp(visitor(), services, email),
  };
}

/** The same with Ada, who is signed in to a new account. */
export async function createSignedInApp(options: TestAppOptions = {}) {
  const app = await createTestApp(options);
  return { ...app, ada: await app.signedIn() };
}

/** A migrated database: in the project "postgres" on PostgreSQL, elsewhere a file in the folder. */
async function defaultDatabase(dataDir: string): Promise<Record<string, string>> {
  if (listEngines().join() !== "postgres") {
    await copyMigratedDatabase(dataDir);
    return {};
  }
  const { databaseUrl } = await makeDatabase("postgres");
  return databaseUrl ? { DATABASE_URL: databaseUrl } : {};
}

function databaseOf({ config }: Services): Record<string, string> {
  return config.databaseUrl ? { DATABASE_URL: config.databaseUrl } : {};
}

type SeedOptions = { visitor: Visitor; services: Services; dataDir: string; email: string };

async function seedUser({ visitor, services, dataDir, email }: SeedOptions) {
  const { db, engine, config } = services;
  // Over https the cookie has another name.
  if (config.baseUrl.startsWith("https:")) return signUp(visitor, services, email);
  const { token, rows } = await accountRows(email, engine === "sqlite" ? 1 : true);
  await insertRows({ db }, rows);
  const { name, value } = sessionCookie(token, dataDir);
  visitor.cookies.set(name, value);
  return { ...visitor, email, password: seededPassword };
}

async function signUp(visitor: Visitor, services: Services, email: string) {
  const password = seededPassword;
  await visitor.post("/auth?tab=signup", { intent: "sign-up", email, password });
  const mails = await sentMails(services);
  const mail = mails.find(({ to }) => to === email);
  const link = /https?:\/\/\S+\/auth\/confirm\S*/.exec(mail?.text ?? "")?.[0];
  if (!link) throw new Error(`No confirmation mail for ${email}`);
  await visitor.post(new URL(link).pathname + new URL(link).search, {});
  return { ...visitor, email, password };
}

async function sentMails({ jobs, mail }: Services) {
  await jobs.runDue();
  return mail.listStored();
}
