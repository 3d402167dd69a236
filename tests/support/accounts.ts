import pino from "pino";
import { afterEach, vi } from "vitest";

import { createAuth, createAuthTables } from "#app/services/auth.server.ts";
import type { AccountMail, Auth } from "#app/services/auth.server.ts";
import type { Db, Engine } from "#app/services/database.server.ts";

export const ada = { email: "ada@example.com", password: "tea with Charles" };

/** The headers of somebody without a cookie. */
export const nobody = new Headers();

/** Accounts alone, on a database of the test's own: the mails they would send are in a list. `wait` moves their clock. */
export async function openAuth(
  makeDb: () => Promise<Db>,
  engine: Engine,
  { baseUrl = "http://localhost:3000", answerAfter = 0 } = {},
) {
  vi.useFakeTimers({ toFake: ["Date"] });
  const db = await makeDb();
  await createAuthTables(db, engine);
  const mails: AccountMail[] = [];
  const queries = { count: 0 };
  const auth = createAuth({
    db: counted(db, queries),
    engine,
    config: { baseUrl },
    secret: "0123456789abcdefghijklmnopqrstuv",
    log: pino({ level: "silent" }),
    enqueueMail: async (mail) => {
      mails.push(mail);
    },
    answerAfter,
  });
  return { auth, mails, db, queries };
}

/** A confirmed account of Ada, and her browser; the mails so far are forgotten. */
export async function makeAccount(auth: Auth, mails: AccountMail[]): Promise<Headers> {
  await auth.signUp(ada);
  const opened = await auth.confirm({ token: tokenOf(mails[0]), viewer: undefined });
  mails.length = 0;
  return browser(opened);
}

export function tokenOf(mail: AccountMail | undefined): string {
  return mail && "token" in mail ? mail.token : "";
}

/** The headers that a browser sends after this answer. */
export function browser(answer: { kind: string; cookies?: string[] } | { kind: string }): Headers {
  const cookies = "cookies" in answer && answer.cookies ? answer.cookies : [];
  return new Headers({ cookie: cookies.map((cookie) => cookie.split(";")[0]).join("; ") });
}

export function wait({ hours }: { hours: number }) {
  vi.setSystemTime(Date.now() + hours * 3_600_000);
}

/** Everything that is stored about accounts. */
export async function readAll(db: Db) {
  const read = (table: string) =>
    db
      .selectFrom(table as "setting")
      .selectAll()
      .execute();
  return {
    user: await read("user"),
    account: await read("account"),
    session: await read("session"),
    verification: await read("verification"),
  };
}

export async function countUsers(db: Db) {
  return (await readAll(db)).user.length;
}

function counted(db: Db, queries: { count: number }): Db {
  return db.withPlugin({
    transformQuery: ({ node }) => {
      queries.count += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
}

afterEach(() => {
  vi.useRealTimers();
});
