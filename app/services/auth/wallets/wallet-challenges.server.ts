import { createHash, randomBytes, randomUUID } from "node:crypto";

import { sql } from "kysely";
import { z } from "zod";

import { timeValue } from "#app/services/auth/user-rows.server.ts";
import type { Db, Engine, Trx } from "#app/services/database/database.server.ts";
import { hostCookieAttributes, hostCookieName } from "#app/services/http/cookies.ts";

const storedChallenge = z.object({
  message: z.string(),
  address: z.string(),
  /** The account to connect the wallet to. Without one, its owner signs in. */
  userId: z.string().optional(),
});

type WalletChallenge = z.infer<typeof storedChallenge>;

export type WalletChallenges = {
  /** Stores a message that the wallet with this address has to sign, for this browser. */
  make(of: Pick<WalletChallenge, "address" | "userId">): Promise<{ message: string; cookies: string[] }>;
  /** Uses up the newest challenge of this browser; undefined if it has none, and for one that was used or has expired. */
  take(trx: Trx, headers: Headers): Promise<WalletChallenge | undefined>;
  clearingCookie: string;
};

type WalletChallengesDeps = { db: Db; engine: Engine; baseUrl: string };

const cookieName = "meishi.wallet";
const tokenPattern = /^[\w-]{43}$/;
const validSeconds = 10 * 60;

/**
 * The messages that wait for a signature, in better-auth's table of verifications. The server writes the message and compares the signature
 * with exactly that text, so nothing of it is ever read back from the browser, whose cookie names the row.
 */
export function createWalletChallenges({ db, engine, baseUrl }: WalletChallengesDeps): WalletChallenges {
  const isSecure = baseUrl.startsWith("https:");
  const name = hostCookieName(cookieName, isSecure);
  const setCookie = (value: string, seconds: number) =>
    `${name}=${value}; HttpOnly; ${hostCookieAttributes(seconds, isSecure)}`;

  async function make({ address, userId }: Pick<WalletChallenge, "address" | "userId">) {
    const token = randomBytes(32).toString("base64url");
    const nonce = randomBytes(16).toString("hex");
    const message = walletMessage({
      baseUrl,
      address,
      nonce,
      issuedAt: Date.now(),
      isConnecting: userId !== undefined,
    });
    const value = JSON.stringify({ message, address, userId } satisfies { [Key in keyof WalletChallenge]: unknown });
    const time = (ms: number) => timeValue(engine, Date.now() + ms);
    await sql`insert into "verification" ("id", "identifier", "value", "expiresAt", "createdAt", "updatedAt")
      values (${randomUUID()}, ${keyOf(token)}, ${value}, ${time(validSeconds * 1000)}, ${time(0)}, ${time(0)})`.execute(
      db,
    );
    return { message, cookies: [setCookie(token, validSeconds)] };
  }

  async function take(trx: Trx, headers: Headers) {
    const cookies = (headers.get("cookie") ?? "").split(/; ?/);
    const token = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
    if (token === undefined || !tokenPattern.test(token)) return undefined;
    const { rows } = await sql<{ value: string; expiresAt: string | Date }>`delete from "verification"
      where "identifier" = ${keyOf(token)} returning "value", "expiresAt"`.execute(trx);
    const [row] = rows;
    if (!row || new Date(row.expiresAt).getTime() <= Date.now()) return undefined;
    return storedChallenge.parse(JSON.parse(row.value));
  }

  return { make, take, clearingCookie: setCookie("", 0) };
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

function keyOf(token: string): string {
  return `wallet-challenge:${createHash("sha256").update(token).digest("base64url")}`;
}
