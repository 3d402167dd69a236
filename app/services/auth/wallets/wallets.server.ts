import type { RequestOrigin, SecurityEvents } from "#app/services/auth/audit/security-events.server.ts";
import type { EnqueueMail } from "#app/services/auth/better-auth.server.ts";
import {
  deleteConnection,
  findConnection,
  insertConnection,
  listConnectionRows,
} from "#app/services/auth/oauth/connection-rows.server.ts";
import { hasOtherWayIn } from "#app/services/auth/oauth/connections.server.ts";
import type { DisconnectResult } from "#app/services/auth/oauth/connections.server.ts";
import { walletProvider } from "#app/services/auth/oauth/providers.server.ts";
import { retryOnConflict } from "#app/services/auth/oauth/oauth-callbacks.server.ts";
import type { SignInOutcome, SignIns } from "#app/services/auth/sessions/sign-ins.server.ts";
import { findAddress, lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Engine, Trx } from "#app/services/database/database.server.ts";

import { readAddress, recoverSigner } from "./ethereum-signatures.server.ts";
import { createWalletChallenges } from "./wallet-challenges.server.ts";

export type Wallets = {
  /** Whether the operator turned wallets on, and single sign-on isn't the only way in. */
  hasWallets: boolean;
  /** Asks the wallet with this address to sign a message: to sign in, or with a user to be connected. Undefined for text that is no address. */
  askWallet(request: {
    address: string;
    userId?: string | undefined;
  }): Promise<{ message: string; cookies: string[] } | undefined>;
  /** Signs in with the signature of the message that this browser asked for, once. */
  signInWithWallet(given: Signed): Promise<WalletSignInResult>;
  /** Connects a wallet to the account of the user who asked for it. */
  connectWallet(given: { userId: string } & Signed): Promise<ConnectResult>;
  disconnectWallet(request: { userId: string } & RequestOrigin): Promise<DisconnectResult>;
  findWallet(userId: string): Promise<ConnectedWallet | undefined>;
};

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

const { id: providerId, name: walletName } = walletProvider;

type WalletsDeps = {
  db: Db;
  engine: Engine;
  secret: string;
  baseUrl: string;
  isOn: boolean;
  /** Whether users can sign in with a connected provider. */
  canSignIn: (providerId: string) => boolean;
  signIns: SignIns;
  securityEvents: SecurityEvents;
  enqueueMail: EnqueueMail;
};

/** Ethereum wallets that users have connected, as rows of better-auth's accounts. See decision 42. */
export function createWallets(deps: WalletsDeps): Wallets {
  const { db } = deps;
  const challenges = createWalletChallenges(deps);

  /** The address that signed this browser's message, which is used up in any case. */
  async function prove(trx: Trx, { signature, headers, userId }: Signed & { userId?: string }) {
    const challenge = await challenges.take(trx, headers);
    if (!challenge || challenge.userId !== userId) return undefined;
    return recoverSigner(challenge.message, signature) === challenge.address ? challenge.address : undefined;
  }

  async function signInWithWallet({ signature, ...origin }: Signed) {
    return transact(db, async (trx): Promise<WalletSignInResult> => {
      const address = await prove(trx, { signature, ...origin });
      if (address === undefined) return { kind: "refused" };
      const userId = await lockOwner(trx, address);
      if (userId === undefined) return { kind: "unknown-wallet" };
      const outcome = await deps.signIns.completeSignIn(trx, { userId, method: "wallet", origin });
      if (outcome.kind === "blocked") return { ...outcome, userId };
      return { ...outcome, userId, cookies: [...outcome.cookies, challenges.clearingCookie] };
    });
  }

  async function connectWallet({ userId, signature, ...origin }: { userId: string } & Signed) {
    const work = async (trx: Trx): Promise<ConnectResult> => {
      const address = await prove(trx, { signature, userId, ...origin });
      if (address === undefined || !(await lockUser(trx, userId))) return { kind: "refused" };
      const known = await findConnection(trx, { providerId, accountId: address });
      if (known && known.userId !== userId) return { kind: "connected-elsewhere" };
      const connected: ConnectResult = { kind: "connected", cookies: [challenges.clearingCookie] };
      if (known) return connected;
      if (await findRow(trx, userId)) return { kind: "connected-before" };
      await insertConnection(trx, { userId, providerId, identity: { ...noIdentity, accountId: address } }, deps);
      await report(trx, { userId, event: "account-linked", origin });
      return connected;
    };
    return retryOnConflict(() => transact(db, work));
  }

  async function disconnectWallet({ userId, ...origin }: { userId: string } & RequestOrigin) {
    return transact(db, async (trx): Promise<DisconnectResult> => {
      // Two requests at once must not remove the last two ways in.
      if (!(await lockUser(trx, userId))) return "not-connected";
      if (!(await hasOtherWayIn(trx, { userId, providerId, canSignIn: deps.canSignIn }))) return "last-way-in";
      if (!(await deleteConnection(trx, { userId, providerId }))) return "not-connected";
      await report(trx, { userId, event: "account-unlinked", origin });
      return "disconnected";
    });
  }

  async function report(trx: Trx, { userId: ownerId, event, origin }: Reported) {
    await deps.securityEvents.record(trx, { ownerId, event, detail: walletName, origin });
    const user = await findAddress(trx, ownerId);
    const kind = event === "account-linked" ? "account-connected" : "account-disconnected";
    if (user) await deps.enqueueMail({ kind, to: user.email, provider: walletName }, trx);
  }

  return {
    hasWallets: deps.isOn,
    askWallet: async ({ address: typed, userId }) => {
      const address = readAddress(typed);
      return address === undefined ? undefined : challenges.make({ address, userId });
    },
    signInWithWallet,
    connectWallet,
    disconnectWallet,
    findWallet: async (userId) => {
      const row = await findRow(db, userId);
      return row && { address: row.accountId, connectedAt: row.connectedAt };
    },
  };
}

type Reported = { userId: string; event: "account-linked" | "account-unlinked"; origin: RequestOrigin };

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
