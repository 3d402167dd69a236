import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import {
  findConnection,
  insertConnection,
  listConnectionRows,
  reportConnection,
} from "#app/services/auth/oauth/connection-rows.server.ts";
import { disconnect } from "#app/services/auth/oauth/connections.server.ts";
import type { DisconnectResult } from "#app/services/auth/oauth/connections.server.ts";
import { retryOnConflict } from "#app/services/auth/oauth/oauth-callbacks.server.ts";
import { walletProvider } from "#app/services/auth/oauth/providers.server.ts";
import { completeSignIn } from "#app/services/auth/sessions/sign-ins.server.ts";
import type { SignInOutcome } from "#app/services/auth/sessions/sign-ins.server.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

import { readAddress, recoverSigner } from "./ethereum-signatures.server.ts";
import {
  clearingCookie,
  makeWalletChallenge,
  noteUse,
  readSignInMessage,
  takeWalletChallenge,
} from "./wallet-challenges.server.ts";

/** `signature`: 65 bytes in hexadecimal, as `personal_sign` returns them. */
type Signed = { signature: string } & RequestOrigin;

export type WalletSignInResult =
  | (SignInOutcome & { userId: string })
  /** The signature is wrong, or this browser has no message that waits for one. */
  | { kind: "refused" }
  /** No account has this wallet. */
  | { kind: "unknown-wallet" };

/** `address`: with its checksum; `connectedAt`: epoch milliseconds. */
export type ConnectedWallet = { address: string; connectedAt: number };

export type ConnectResult =
  | { kind: "connected"; cookies: string[] }
  | { kind: "refused" }
  /** To another account. */
  | { kind: "connected-elsewhere" }
  /** The account has another wallet. */
  | { kind: "connected-before" };

// Wallets that users have connected are rows of better-auth's accounts. See decision 42.
const { id: providerId, name } = walletProvider;

/** Asks the wallet with this address to sign a message: to sign in, or with a user to be connected. Undefined for text that is no address. */
export async function askWallet(
  deps: AuthDeps,
  { address: typed, userId }: { address: string; userId?: string | undefined },
): Promise<{ message: string; cookies: string[] } | undefined> {
  const address = readAddress(typed);
  return address === undefined ? undefined : makeWalletChallenge(deps, { address, userId });
}

/** Signs in with the signature of the message that this browser requested, once. */
export function signInWithWallet(deps: AuthDeps, { signature, ...origin }: Signed): Promise<WalletSignInResult> {
  return transact(deps.db, async (trx): Promise<WalletSignInResult> => {
    const address = await prove(deps, trx, { signature, ...origin });
    if (address === undefined) return { kind: "refused" };
    const userId = await lockOwner(trx, address);
    if (userId === undefined) return { kind: "unknown-wallet" };
    const outcome = await completeSignIn(deps, trx, { userId, method: "wallet", origin });
    if (outcome.kind === "blocked") return { ...outcome, userId };
    return { ...outcome, userId, cookies: [...outcome.cookies, clearingCookie(deps)] };
  });
}

type SignedMessage = { message: string; signature: string; hosts: readonly string[] } & RequestOrigin;

/**
 * Signs in with a message that an app wrote and a wallet signed, once. `hosts`: what may have asked the wallet: no other site gets in with a
 * message that was signed for it.
 */
export async function signInWithSignedMessage(
  deps: AuthDeps,
  { message, signature, hosts, ...origin }: SignedMessage,
): Promise<WalletSignInResult> {
  const signed = readSignInMessage(message);
  const address = await recoverSigner(message, signature);
  if (!signed || !hosts.includes(signed.host) || address === undefined || readAddress(signed.address) !== address)
    return { kind: "refused" };
  const work = async (trx: Trx): Promise<WalletSignInResult> => {
    const userId = await lockOwner(trx, address);
    if (userId === undefined) return { kind: "unknown-wallet" };
    if (!(await noteUse(trx, { ownerId: userId, message, until: signed.until }))) return { kind: "refused" };
    return { ...(await completeSignIn(deps, trx, { userId, method: "wallet", origin })), userId };
  };
  return transact(deps.db, work);
}

/** The address that signed this browser's message, which is used up in any case. */
async function prove(deps: AuthDeps, trx: Trx, { signature, headers, userId }: Signed & { userId?: string }) {
  const challenge = await takeWalletChallenge(deps, trx, headers);
  if (!challenge || challenge.userId !== userId) return undefined;
  return (await recoverSigner(challenge.message, signature)) === challenge.address ? challenge.address : undefined;
}

/** Connects a wallet to the account of the user who asked for it. */
export function connectWallet(
  deps: AuthDeps,
  { userId, signature, ...origin }: { userId: string } & Signed,
): Promise<ConnectResult> {
  const work = async (trx: Trx): Promise<ConnectResult> => {
    const address = await prove(deps, trx, { signature, userId, ...origin });
    if (address === undefined || !(await lockUser(trx, userId))) return { kind: "refused" };
    const known = await findConnection(trx, { providerId, accountId: address });
    if (known && known.userId !== userId) return { kind: "connected-elsewhere" };
    const connected: ConnectResult = { kind: "connected", cookies: [clearingCookie(deps)] };
    if (known) return connected;
    if (await findRow(trx, userId)) return { kind: "connected-before" };
    await insertConnection(trx, { userId, providerId, identity: { ...noIdentity, accountId: address } }, deps);
    await reportConnection(deps, trx, { userId, event: "account-linked", name, origin });
    return connected;
  };
  return retryOnConflict(() => transact(deps.db, work));
}

export function disconnectWallet(
  deps: AuthDeps,
  { userId, ...origin }: { userId: string } & RequestOrigin,
): Promise<DisconnectResult> {
  return disconnect(deps, { userId, provider: { id: providerId, name, canSignIn: true }, ...origin });
}

export async function findWallet({ db }: AuthDeps, userId: string): Promise<ConnectedWallet | undefined> {
  const row = await findRow(db, userId);
  return row && { address: row.accountId, connectedAt: row.connectedAt };
}

/** A wallet says nothing but its address. */
const noIdentity = { email: undefined, emailProblem: undefined, name: "", picture: "", profileUrl: "", tokens: {} };

/** Locks the account that a wallet is connected to. */
async function lockOwner(trx: Trx, address: string): Promise<string | undefined> {
  const found = await findConnection(trx, { providerId, accountId: address });
  if (!found || !(await lockUser(trx, found.userId))) return undefined;
  // It may have been disconnected before the lock.
  const now = await findConnection(trx, { providerId, accountId: address });
  return now?.userId === found.userId ? now.userId : undefined;
}

async function findRow(trx: Db | Trx, userId: string) {
  return (await listConnectionRows(trx, userId)).find((row) => row.providerId === providerId);
}
