import { randomUUID } from "node:crypto";

import { betterAuth } from "better-auth";
import type { BetterAuthOptions } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { sql } from "kysely";
import type { Logger } from "pino";

import type { PasswordHashes } from "#app/services/auth/passwords/password-hashes.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Engine, Trx } from "#app/services/database/database.server.ts";
import { hostCookieName } from "#app/services/http/cookies.ts";
import { withMigrationLock } from "#app/services/database/migrate.server.ts";

/** Prefixed with `__Host-` over HTTPS. */
export const sessionCookieName = "meishi.session_token";

const daySeconds = 24 * 60 * 60;

type BetterAuthDeps = {
  db: Db;
  engine: Engine;
  baseUrl: string;
  secret: string;
  log: Logger;
  passwords: Pick<PasswordHashes, "hash" | "verify">;
};

/**
 * Configures better-auth, which provides tables, password hashes, sessions and cookies. None of its HTTP endpoints can be reached, so its
 * own sign-up (turned off), texts and limits are never used.
 */
export function createBetterAuth({ db, engine, baseUrl, secret, log, passwords }: BetterAuthDeps) {
  const isSecure = baseUrl.startsWith("https:");
  const database = databaseOptions(db, engine);
  return betterAuth({
    ...database,
    advanced: {
      ...database.advanced,
      // On its own it would name the cookie "__Secure-…", which other hosts of the domain can set.
      useSecureCookies: false,
      cookies: {
        session_token: { name: hostCookieName(sessionCookieName, isSecure), attributes: { secure: isSecure } },
      },
    },
    appName: "Meishi",
    baseURL: baseUrl,
    trustedOrigins: [baseUrl],
    secret,
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      requireEmailVerification: true,
      // Our rules count characters, better-auth counts UTF-16 units: 128 characters have at most 256.
      minPasswordLength: 6,
      maxPasswordLength: 256,
      password: { hash: passwords.hash, verify: passwords.verify },
    },
    emailVerification: { autoSignInAfterVerification: true },
    session: { expiresIn: 7 * daySeconds, updateAge: daySeconds, additionalFields: sessionFields },
    verification: { storeIdentifier: "hashed", disableCleanup: true },
    rateLimit: { enabled: false },
    // Instead of better-auth's own pages: our login page, and our error handler.
    onAPIError: { errorURL: `${baseUrl}/auth`, throw: true },
    telemetry: { enabled: false },
    // Lower levels log email addresses.
    logger: { level: "error", log: (_level, message, ...details) => logError(log, message, details) },
  });
}

export type BetterAuth = ReturnType<typeof createBetterAuth>;

/** A mail to an account's owner; the feature that sends it writes the text. `url`: what an app has the link lead to instead of our page. */
export type AccountMail =
  | { kind: "confirm"; to: string; token: string; url?: string; validHours: number }
  | { kind: "confirm-own"; to: string; token: string; validHours: number }
  /** `needsPassword`: the account was never used, so the password of its sign-up was removed. */
  | { kind: "confirmed-by-operator"; to: string; needsPassword: boolean }
  | { kind: "invitation"; to: string; token: string; validDays: number }
  | { kind: "known-address"; to: string }
  /** To the new address. */
  | { kind: "change-email"; to: string; token: string; validHours: number }
  /** To the current address. */
  | { kind: "email-change-requested"; to: string; newEmail: string }
  /** To the owner of the account that has the new address. */
  | { kind: "change-to-known-address"; to: string }
  /** To the address that the account had until now, with a link that restores it. */
  | { kind: "email-changed"; to: string; newEmail: string; token: string; validDays: number }
  /** To the address that the account has again. */
  | { kind: "email-restored"; to: string; removed: RemovedSignInMethod[] }
  /** To the address that it had since the change. */
  | { kind: "email-change-undone"; to: string }
  | { kind: "password-changed"; to: string }
  /** `provider`: "GitHub". */
  | { kind: "account-connected" | "account-disconnected"; to: string; provider: string }
  /** `browser`: "Firefox on Windows"; `at`: epoch milliseconds. */
  | { kind: "new-device"; to: string; browser: string; at: number; locale: string; timeZone: string }
  /** The code that confirms who the user is. */
  | { kind: "identity-code"; to: string; code: string; validMinutes: number }
  /** `browser`: the one that asked; `code`: six digits. */
  | { kind: "sign-in"; to: string; token: string; url?: string; code: string; browser: string; validMinutes: number }
  /** `detail`: the name of a passkey. Without a browser, the operator did it. */
  | { kind: "factor-changed"; to: string; change: FactorChange; detail?: string; browser: string | undefined }
  | { kind: "backup-code-used"; to: string; left: number; browser: string }
  /** Someone who passed the first step reached the limit of wrong codes. */
  | { kind: "codes-refused"; to: string; browser: string }
  | { kind: "reset"; to: string; token: string; url?: string; code?: string; validHours: number };

/** What was removed with a change of the email that was undone. `name`: of a passkey or provider. */
export type RemovedSignInMethod = { kind: "passkey" | "connection"; name: string } | { kind: "app" | "backup-codes" };

/** A change of what an account asks for besides the first proof. */
export type FactorChange =
  | "turned-on"
  | "turned-off"
  | "reset"
  | "app-replaced"
  | "codes-made"
  | "passkey-added"
  | "passkey-removed";

/** Stores a mail to be sent; with a transaction, only if that commits. Resolves once it is stored. */
export type EnqueueMail = (mail: AccountMail, trx?: Trx) => Promise<void>;

/** Creates and updates better-auth's own tables (user, session, account, verification). Call it after `migrate`. */
export async function createAuthTables(db: Db, engine: Engine): Promise<void> {
  const update = async (trx: Trx) => {
    const { runMigrations } = await getMigrations(databaseOptions(trx, engine));
    await runMigrations();
    // For the operator's list of users, newest first.
    await sql`create index if not exists user_newest on "user" ("createdAt", "id")`.execute(trx);
    // For the tasks that delete what is over, and accounts that were never used.
    for (const table of ["session", "verification"])
      await sql`create index if not exists ${sql.ref(`${table}_expiry`)} on ${sql.table(table)} ("expiresAt")`.execute(
        trx,
      );
    await sql`create index if not exists user_unconfirmed on "user" ("id") where not "emailVerified"`.execute(trx);
    // For each sign-in by a provider.
    await sql`create index if not exists account_at_provider on "account" ("accountId", "providerId")`.execute(trx);
  };
  // In one transaction, because better-auth would not notice an index that is missing after a crash.
  await withMigrationLock(db, engine, () => transact(db, update));
}

function logError(log: Logger, message: string, details: unknown[]) {
  const err = details.find((detail) => detail instanceof Error);
  // Anyone can send an OAuth callback without a valid state.
  const isRefusal = message === "State not found" || (err && "code" in err && String(err.code).startsWith("state_"));
  if (isRefusal) log.warn(`better-auth: ${message}`);
  else log.error({ err }, `better-auth: ${message}`);
}

/** What a session has besides better-auth's fields. */
const sessionFields = {
  /** "Firefox on Windows". */
  browser: { type: "string", required: true, input: false },
  /** See `SignInMethod`. */
  method: { type: "string", required: true, input: false },
  /** When the user last proved who they are, in epoch milliseconds. */
  verifiedAt: { type: "number", bigint: true, required: true, input: false },
} as const;

function databaseOptions(db: Db | Trx, engine: Engine) {
  return {
    database: { db, type: engine },
    advanced: {
      cookiePrefix: "meishi",
      // We store no network addresses of visitors.
      ipAddress: { disableIpTracking: true },
      database: { generateId: () => randomUUID(), validateSchema: false },
    },
    session: { additionalFields: sessionFields },
  } satisfies BetterAuthOptions;
}
