import { sql } from "kysely";

import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { hashToken, newToken } from "#app/services/auth/tokens.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import { httpOnlyCookie, readHostCookie } from "#app/services/http/cookies.ts";

import { browserName } from "./browser-name.ts";

type CookieDeps = Pick<AuthDeps, "isSecure">;
type DeviceOf = { userId: string; origin: RequestOrigin };

const cookieName = "meishi.device";
const tokenPattern = /^[\w-]{32}$/;
const yearSeconds = 365 * 24 * 60 * 60;
/** The browsers seen longest ago are forgotten first. */
const maxDevices = 50;

/** The browser, if it signed in to this account before. */
export async function findDevice(deps: CookieDeps, trx: Db | Trx, { userId, origin }: DeviceOf) {
  const id = readDeviceId(deps, origin.headers);
  if (id === undefined) return undefined;
  const row = await trx
    .selectFrom("known_device")
    .select("trusted_until")
    .where("token_hash", "=", id)
    .where("owner_id", "=", userId)
    .executeTakeFirst();
  return row && { id, isTrusted: row.trusted_until > Date.now() };
}

/**
 * The id of this browser, if it signed in to the account with this address before. For rate limits only. One query, whether there is an
 * account or not.
 */
export async function findKnownDevice(
  deps: AuthDeps,
  { email, headers }: { email: string; headers: Headers },
): Promise<string | undefined> {
  const id = readDeviceId(deps, headers);
  if (id === undefined) return undefined;
  const { rows } = await sql<{ id: string }>`select "token_hash" as "id"
    from "known_device" join "user" on "user"."id" = "owner_id"
    where "token_hash" = ${id} and "email" = ${email}`.execute(deps.db);
  return rows[0]?.id;
}

/**
 * Remembers the browser at a sign-in, by a cookie with a random token: a sign-in from another one can cause a notice to the owner, and a stranger's
 * wrong passwords don't keep the owner out (OWASP: device cookies). `trustMs`: for how long it needs no second factor. Returns the cookie.
 */
export async function rememberDevice(
  { isSecure }: CookieDeps,
  trx: Trx,
  { userId, origin, trustMs }: DeviceOf & { trustMs?: number | undefined },
): Promise<string> {
  const token = readToken(origin.headers, isSecure) ?? newToken();
  const now = Date.now();
  const browser = browserName(origin.headers.get("user-agent"));
  const changes = { browser, seen_at: now, ...(trustMs && { trusted_until: now + trustMs }) };
  await trx
    .insertInto("known_device")
    .values({ token_hash: hashToken(token), owner_id: userId, created_at: now, ...changes })
    .onConflict((conflict) => conflict.columns(["token_hash", "owner_id"]).doUpdateSet(changes))
    .execute();
  await forgetOldDevices(trx, userId);
  return httpOnlyCookie(cookieName, token, { seconds: yearSeconds, isSecure });
}

/** The id of the request's browser, as it is stored for each account that it signed in to. */
export function readDeviceId({ isSecure }: CookieDeps, headers: Headers): string | undefined {
  const token = readToken(headers, isSecure);
  return token === undefined ? undefined : hashToken(token);
}

/** The token in the request's cookie. */
function readToken(headers: Headers, isSecure: boolean): string | undefined {
  const value = readHostCookie(headers, cookieName, isSecure);
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
