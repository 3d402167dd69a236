import { randomBytes } from "node:crypto";

import { z } from "zod";

import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { hashToken, newToken } from "#app/services/auth/tokens.server.ts";
import { insertVerification, takeVerificationByKey } from "#app/services/auth/user-rows.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";
import { httpOnlyCookie, readHostCookie } from "#app/services/http/cookies.ts";

const storedChallenge = z.object({
  message: z.string(),
  address: z.string(),
  /** The account to connect the wallet to. Without one, its owner signs in. */
  userId: z.string().optional(),
});

type WalletChallenge = z.infer<typeof storedChallenge>;

const cookieName = "meishi.wallet";
const tokenPattern = /^[\w-]{43}$/;
const validSeconds = 10 * 60;

/**
 * Stores a message that the wallet with this address has to sign, for this browser, in better-auth's table of verifications. The server
 * writes the message and compares the signature with exactly that text, so nothing of it is ever read back from the browser, whose cookie
 * names the row.
 */
export async function makeWalletChallenge(
  { db, engine, baseUrl, isSecure }: AuthDeps,
  { address, userId }: Pick<WalletChallenge, "address" | "userId">,
): Promise<{ message: string; cookies: string[] }> {
  const token = newToken(32);
  const nonce = randomBytes(16).toString("hex");
  const isConnecting = userId !== undefined;
  const message = walletMessage({ baseUrl, address, nonce, issuedAt: Date.now(), isConnecting });
  const value = JSON.stringify({ message, address, userId } satisfies { [Key in keyof WalletChallenge]: unknown });
  await insertVerification(db, { identifier: keyOf(token), value, validMs: validSeconds * 1000, engine });
  return { message, cookies: [httpOnlyCookie(cookieName, token, { seconds: validSeconds, isSecure })] };
}

/** Uses up the newest challenge of this browser; undefined if it has none, and for one that was used or has expired. */
export async function takeWalletChallenge(
  { isSecure }: AuthDeps,
  trx: Trx,
  headers: Headers,
): Promise<WalletChallenge | undefined> {
  const token = readHostCookie(headers, cookieName, isSecure);
  if (token === undefined || !tokenPattern.test(token)) return undefined;
  const row = await takeVerificationByKey(trx, keyOf(token));
  if (!row || row.expiresAt <= Date.now()) return undefined;
  return storedChallenge.parse(JSON.parse(row.value));
}

const keyOf = (token: string) => `wallet-challenge:${hashToken(token)}`;

/** Deletes the cookie of a challenge. */
export function clearingCookie({ isSecure }: AuthDeps): string {
  return httpOnlyCookie(cookieName, "", { seconds: 0, isSecure });
}

/**
 * What a message of ERC-4361 says that an app wrote: the host that asked, the address, and until when it may be used (epoch milliseconds): ten
 * minutes after it was written, or less. Undefined for another text, and for one that was written long ago or in the future.
 */
export function readSignInMessage(message: string): { host: string; address: string; until: number } | undefined {
  const [first = "", address = ""] = message.split("\n");
  const [, host] = /^(?:https?:\/\/)?(\S{1,200}) wants you to sign in with your Ethereum account:$/.exec(first) ?? [];
  const read = (name: string) => Date.parse(new RegExp(`^${name}: (\\S{1,40})$`, "m").exec(message)?.[1] ?? "");
  const [issuedAt, expiresAt, now] = [read("Issued At"), read("Expiration Time"), Date.now()];
  const until = Math.min(issuedAt + validSeconds * 1000, Number.isNaN(expiresAt) ? Infinity : expiresAt);
  const isTimely = issuedAt < now + 60_000 && until > now;
  return host !== undefined && isTimely && message.length <= 5_000 ? { host, address, until } : undefined;
}

/** Notes that a message that a wallet signed was used. Returns false if it was before. */
export async function noteUse(
  trx: Trx,
  { ownerId: owner_id, message, until: expires_at }: { ownerId: string; message: string; until: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("app_link")
    .values({ token_hash: hashToken(message), owner_id, kind: "used", expires_at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0) > 0;
}

type MessageFields = { baseUrl: string; address: string; nonce: string; issuedAt: number; isConnecting: boolean };

/** The message of ERC-4361 (Sign-In with Ethereum). Signing it needs no network, so the chain is always Ethereum's first. */
export function walletMessage({ baseUrl, address, nonce, issuedAt, isConnecting }: MessageFields): string {
  const time = (ms: number) => new Date(ms).toISOString();
  return [
    `${new URL(baseUrl).host} wants you to sign in with your Ethereum account:`,
    address,
    "",
    isConnecting ? "Connect this wallet to your Meishi account." : "Sign in to Meishi.",
    "",
    `URI: ${baseUrl}/auth/with-wallet`,
    "Version: 1",
    "Chain ID: 1",
    `Nonce: ${nonce}`,
    `Issued At: ${time(issuedAt)}`,
    `Expiration Time: ${time(issuedAt + validSeconds * 1000)}`,
  ].join("\n");
}
