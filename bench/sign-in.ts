import { rmSync } from "node:fs";

import pino from "pino";

import { createAuth } from "#app/services/auth/auth.server.ts";
import type { Auth } from "#app/services/auth/auth.server.ts";
import { createAuthTables } from "#app/services/auth/better-auth.server.ts";
import type { AccountMail } from "#app/services/auth/better-auth.server.ts";
import type { Db } from "#app/services/database/database.server.ts";

import { createDatabase } from "./pages/databases.ts";
import { median } from "./program.ts";
import { atMost } from "./table.ts";
import type { Row } from "./table.ts";

const credentials = { email: "ada@example.com", password: "tea with Charles" };
const signIns = 15;
const lookups = 500;

/** Signing in with a password, and finding the session of a request. On SQLite. */
export async function signIn(): Promise<Row[]> {
  const { dataDir, db, engine, close } = await createDatabase();
  await createAuthTables(db, engine);
  const queries = { count: 0 };
  const mails: AccountMail[] = [];
  const auth = createAuth({
    db: countQueries(db, queries),
    engine,
    config: { baseUrl: "http://localhost:3000" },
    secret: "0123456789abcdefghijklmnopqrstuv",
    log: pino({ level: "silent" }),
    enqueueMail: async (mail) => {
      mails.push(mail);
    },
    enqueueImage: async () => undefined,
    minResponseMs: 0,
  });
  const headers = await makeAccount(auth, mails);
  const rows = [...(await passwordRows(auth)), ...(await lookupRows(auth, { headers, queries }))];
  await close();
  rmSync(dataDir, { recursive: true, force: true });
  return rows;
}

/** Confirms the sign-up of an account. Returns the headers of its browser. */
async function makeAccount(auth: Auth, mails: AccountMail[]): Promise<Headers> {
  await auth.signUp(credentials);
  const [mail] = mails;
  const token = mail && "token" in mail ? mail.token : "";
  const result = await auth.confirm({
    headers: new Headers(),
    token,
    viewer: undefined,
    password: credentials.password,
  });
  if (result.kind !== "signed-in") throw new Error(`the sign-up ended with ${result.kind}`);
  return new Headers({ cookie: result.cookies.map((cookie) => cookie.split(";")[0]).join("; ") });
}

async function passwordRows(auth: Auth): Promise<Row[]> {
  const times: number[] = [];
  // The first rounds are a warm-up.
  for (let round = -3; round < signIns; round++) {
    const time = await cpuOf(async () => {
      const { kind } = await auth.signIn({ ...credentials, headers: new Headers() });
      if (kind !== "signed-in") throw new Error(`the sign-in ended with ${kind}`);
    });
    if (round >= 0) times.push(time);
  }
  return [{ what: "whole sign-in with a password (Argon2id), CPU", value: `${median(times).toFixed(0)} ms` }];
}

type Lookups = { headers: Headers; queries: { count: number } };

async function lookupRows(auth: Auth, { headers, queries }: Lookups): Promise<Row[]> {
  const times: number[] = [];
  for (let round = -lookups; round < lookups; round++) {
    if (round === 0) queries.count = 0;
    const started = performance.now();
    const { viewer } = await auth.findViewer(headers);
    const time = performance.now() - started;
    if (!viewer) throw new Error("the session was not found");
    if (round >= 0) times.push(time);
  }
  const perLookup = queries.count / lookups;
  return [
    { what: "session lookup, queries", value: perLookup.toFixed(0), bar: atMost(1, perLookup) },
    {
      what: "session lookup on SQLite",
      value: `${median(times).toFixed(2)} ms`,
      bar: atMost(0.3, median(times), "ms"),
    },
  ];
}

/** Milliseconds of all threads. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function countQueries(db: Db, queries: { count: number }): Db {
  return db.withPlugin({
    transformQuery: ({ node }) => {
      queries.count += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
}
