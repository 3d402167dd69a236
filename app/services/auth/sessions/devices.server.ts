import { createHash, randomBytes } from "node:crypto";

import { sql } from "kysely";

import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { BetterAuth } from "#app/services/auth/better-auth.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import { hostCookieAttributes, hostCookieName } from "#app/services/http/cookies.ts";

import { browserName } from "./browser-name.ts";

export type Devices = {
  /** The browser, if it signed in to this account before. */
  findDevice(trx: Db | Trx, of: DeviceOf): Promise<{ id: string; isTrusted: boolean } | undefined>;
  /** The id of the browser, if it signed in to the account with this address before. One query, whether there is an account or not. */
  findDeviceId(db: Db, of: { email: string; origin: RequestOrigin }): Promise<string | undefined>;
  /** Remembers the browser at a sign-in. `trustMs`: for how long it needs no second factor. Returns the cookies to set. */
  rememberDevice(trx: Trx, of: DeviceOf & { trustMs?: number }): Promise<string[]>;
};

type DeviceOf = { userId: string; origin: RequestOrigin };

const cookieName = "meishi.device";
const tokenPattern = /^[\w-]{32}$/;
const yearSeconds = 365 * 24 * 60 * 60;
/** The browsers seen longest ago are forgotten first. */
const maxDevices = 50;

/**
 * The browsers that signed in to an account. Each has a cookie with a random token, so that a sign-in from another one can be told to the
 * owner, and a stranger's wrong passwords don't keep the owner out (OWASP: device cookies).
 */
export function createDevices({ isSecure }: { isSecure: boolean }): Devices {
  const readToken = ({ headers }: RequestOrigin) => readDeviceToken(headers, isSecure);

  async function findDevice(trx: Db | Trx, { userId, origin }: DeviceOf) {
    const token = readToken(origin);
    if (token === undefined) return undefined;
    const id = hashToken(token);
    const row = await trx
      .selectFrom("known_device")
      .select("trusted_until")
      .where("token_hash", "=", id)
      .where("owner_id", "=", userId)
      .executeTakeFirst();
    return row && { id, isTrusted: row.trusted_until > Date.now() };
  }

  async function findDeviceId(db: Db, { email, origin }: { email: string; origin: RequestOrigin }) {
    const token = readToken(origin);
    if (token === undefined) return undefined;
    const { rows } = await sql<{ id: string }>`select "token_hash" as "id"
      from "known_device" join "user" on "user"."id" = "owner_id"
      where "token_hash" = ${hashToken(token)} and "email" = ${email}`.execute(db);
    return rows[0]?.id;
  }

  async function rememberDevice(trx: Trx, { userId, origin, trustMs }: DeviceOf & { trustMs?: number }) {
    const token = readToken(origin) ?? randomBytes(24).toString("base64url");
    const now = Date.now();
    const browser = browserName(origin.headers.get("user-agent"));
    const changes = { browser, seen_at: now, ...(trustMs !== undefined && { trusted_until: now + trustMs }) };
    await trx
      .insertInto("known_device")
      .values({ token_hash: hashToken(token), owner_id: userId, created_at: now, ...changes })
      .onConflict((conflict) => conflict.columns(["token_hash", "owner_id"]).doUpdateSet(changes))
      .execute();
    await forgetOldDevices(trx, userId);
    return [
      `${hostCookieName(cookieName, isSecure)}=${token}; HttpOnly; ${hostCookieAttributes(yearSeconds, isSecure)}`,
    ];
  }

  return { findDevice, findDeviceId, rememberDevice };
}

/** The id of the request's browser, as it is stored for each account that it signed in to. */
export async function readDeviceId(auth: BetterAuth, headers: Headers): Promise<string | undefined> {
  const { attributes } = (await auth.$context).authCookies.sessionToken;
  const token = readDeviceToken(headers, attributes.secure === true);
  return token === undefined ? undefined : hashToken(token);
}

/** The token in the request's cookie. */
function readDeviceToken(headers: Headers, isSecure: boolean): string | undefined {
  const name = hostCookieName(cookieName, isSecure);
  const cookies = (headers.get("cookie") ?? "").split(/; ?/);
  const value = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
  return value !== undefined && tokenPattern.test(value) ? value : undefined;
}

/** `except`: the id of a browser that stays trusted. `browser`: only those with this name, as in "Firefox on Windows". */
type EndedTrust = { userId: string; except: string | undefined; browser?: string | undefined };

/** From now on the account's browsers are asked for a second factor again. */
export async function endTrust(trx: Trx, { userId, except, browser }: EndedTrust): Promise<void> {
  let update = trx.updateTable("known_device").set({ trusted_until: 0 }).where("owner_id", "=", userId);
  if (except !== undefined) update = update.where("token_hash", "<>", except);
  if (browser !== undefined) update = update.where("browser", "=", browser);
  await update.execute();
}

/** `except`: the id of the browser that stays known. The next sign-in from the others is one from a new browser. */
export async function forgetDevices(
  trx: Trx,
  { userId, except }: { userId: string; except: string | undefined },
): Promise<void> {
  await trx
    .deleteFrom("known_device")
    .where("owner_id", "=", userId)
    .where("token_hash", "<>", except ?? "")
    .execute();
}

async function forgetOldDevices(trx: Trx, userId: string) {
  const kept = trx
    .selectFrom("known_device")
    .select("token_hash")
    .where("owner_id", "=", userId)
    .orderBy("seen_at", "desc")
    .limit(maxDevices);
  await trx.deleteFrom("known_device").where("owner_id", "=", userId).where("token_hash", "not in", kept).execute();
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
