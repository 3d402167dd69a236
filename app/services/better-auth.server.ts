import { randomUUID } from "node:crypto";

import { betterAuth } from "better-auth";
import type { BetterAuthOptions } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import type { Logger } from "pino";

import { transact } from "./database.server.ts";
import type { Db, Engine, Trx } from "./database.server.ts";
import { alone } from "./migrate.server.ts";

const DAY = 24 * 60 * 60;

type Parts = {
  db: Db;
  engine: Engine;
  baseUrl: string;
  secret: string;
  log: Logger;
};

/**
 * better-auth, for its tables, password hashes, sessions and cookies. Its own web address is not mounted: only our pages call
 * it, so its sign-up (off), texts and limits never reach anybody.
 */
export function createBetterAuth({ db, engine, baseUrl, secret, log }: Parts) {
  return betterAuth({
    ...tables(db, engine),
    appName: "Meishi",
    baseURL: baseUrl,
    trustedOrigins: [baseUrl],
    secret,
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      requireEmailVerification: true,
      // Our rules count signs, better-auth counts UTF-16 units: of 128 signs none has more than two.
      minPasswordLength: 6,
      maxPasswordLength: 256,
      revokeSessionsOnPasswordReset: true,
    },
    emailVerification: { autoSignInAfterVerification: true },
    session: { expiresIn: 7 * DAY, updateAge: DAY },
    verification: { storeIdentifier: "hashed", disableCleanup: true },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // Below "error" it tells the e-mail addresses of people.
    logger: { level: "error", log: (_level, message, ...details) => logError(log, message, details) },
  });
}

export type BetterAuth = ReturnType<typeof createBetterAuth>;

/** Makes and extends the tables that better-auth keeps by itself: user, session, account, verification. After `migrate`. */
export async function createAuthTables(db: Db, engine: Engine): Promise<void> {
  const make = async (trx: Trx) => {
    const { runMigrations } = await getMigrations(tables(trx, engine));
    await runMigrations();
  };
  // All of them or, after a stop in the middle, none: it would not notice a missing index later.
  await alone(db, engine, () => transact(db, make));
}

function logError(log: Logger, message: string, details: unknown[]) {
  log.error({ err: details.find((detail) => detail instanceof Error) }, `better-auth: ${message}`);
}

function tables(db: Db | Trx, engine: Engine) {
  return {
    database: { db, type: engine },
    advanced: {
      cookiePrefix: "meishi",
      // No address of a visitor is stored.
      ipAddress: { disableIpTracking: true },
      database: { generateId: () => randomUUID(), validateSchema: false },
    },
  } satisfies BetterAuthOptions;
}
