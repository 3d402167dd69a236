import { sql } from "kysely";
import pino from "pino";
import { vi } from "vitest";

import { createAuth } from "#app/services/auth/auth.server.ts";
import type { Auth } from "#app/services/auth/auth.server.ts";
import type { AccountMail } from "#app/services/auth/better-auth.server.ts";
import type { Db, Engine } from "#app/services/database/database.server.ts";

import { cleanUpAfterTest } from "#tests/support/cleanup.ts";
import { selectAll } from "#tests/support/database/account-rows.ts";
import { cheapPasswordCost } from "#tests/support/database/seed.ts";

export const adaCredentials = { email: "ada@example.com", password: "tea with Charles" };

export const noCookies = new Headers();

/** The auth service alone, on a new database; mails go into a list. `advanceClock` moves its clock. */
export async function openAuth(
  makeDb: () => Promise<Db>,
  engine: Engine,
  { baseUrl = "http://localhost:3000", minResponseMs = 0, web3SignIn = false, hasCheapHashes = true } = {},
) {
  vi.useFakeTimers({ toFake: ["Date"] });
  cleanUpAfterTest(() => vi.useRealTimers());
  const db = await makeDb();
  const mails: AccountMail[] = [];
  const queries = { count: 0 };
  const auth = createAuth({
    db: countQueries(db, queries),
    engine,
    config: { baseUrl, web3SignIn },
    secret: "0123456789abcdefghijklmnopqrstuv",
    log: pino({ level: "silent" }),
    enqueueMail: async (mail) => {
      mails.push(mail);
    },
    enqueueImage: async () => undefined,
    minResponseMs,
    ...(hasCheapHashes && { passwordCost: cheapPasswordCost }),
  });
  /** Signs Ada in; in a new browser and with her password, unless the form says otherwise. */
  const signIn = (form: Partial<Parameters<Auth["signIn"]>[0]> = {}) =>
    auth.signIn({ ...adaCredentials, headers: noCookies, ...form });
  /** The token in the newest mail of this kind, or of any. */
  const lastToken = (kind?: AccountMail["kind"]) => tokenOf(mails.findLast((mail) => !kind || mail.kind === kind));
  /** All rows about accounts. */
  const readTables = async () => {
    const read = (table: string) => selectAll({ db }, table);
    const [user, account] = [await read("user"), await read("account")];
    return { user, account, session: await read("session"), verification: await read("verification") };
  };
  const countUsers = async () => (await readTables()).user.length;
  /** The addresses of all users count as ones that were never confirmed. */
  const markUnconfirmed = () => sql`update "user" set "emailVerified" = false`.execute(db);
  return { auth, mails, db, queries, signIn, lastToken, readTables, countUsers, markUnconfirmed };
}

/** The same with Ada's confirmed account, no mails, and the headers of the browser where she is signed in. */
export async function openAccount(...of: Parameters<typeof openAuth>) {
  const opened = await openAuth(...of);
  const { auth, mails, lastToken } = opened;
  const signUp = cookieHeaders(await auth.signUp(adaCredentials));
  const headers = cookieHeaders(await auth.confirm({ headers: signUp, token: lastToken(), viewer: undefined }));
  mails.length = 0;
  const { viewer } = await auth.findViewer(headers);
  if (!viewer) throw new Error("Ada is not signed in");
  return { ...opened, headers, viewer, userId: viewer.id };
}

export function tokenOf(mail: AccountMail | undefined): string {
  return mail && "token" in mail ? mail.token : "";
}

/** The headers that a browser sends after a result with cookies. */
export function cookieHeaders(answer: { cookies?: string[] } | { kind: string }): Headers {
  const cookies = "cookies" in answer && answer.cookies ? answer.cookies : [];
  return new Headers({ cookie: cookies.map((cookie) => cookie.split(";")[0]).join("; ") });
}

/** Replaces the cookies of a browser, as it does after a result that sets some. */
export function acceptCookies(headers: Headers, answer: { cookies?: string[] } | { kind: string }) {
  headers.set("cookie", cookieHeaders(answer).get("cookie") ?? "");
}

export function advanceClock({ hours }: { hours: number }) {
  vi.setSystemTime(Date.now() + hours * 3_600_000);
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
