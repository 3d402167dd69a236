import { symmetricDecrypt } from "better-auth/crypto";
import { sql } from "kysely";

import type { RequestOrigin } from "#app/services/auth/audit/security-events.server.ts";
import type { AuthDeps } from "#app/services/auth/auth-deps.server.ts";
import { lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Trx } from "#app/services/database/database.server.ts";

import {
  deleteConnection,
  encryptionKey,
  findIdToken,
  listConnectionRows,
  reportConnection,
} from "./connection-rows.server.ts";
import { walletProvider } from "./providers.server.ts";
import type { ProviderInfo } from "./providers.server.ts";

/** A provider that can be connected, and since when it is (epoch milliseconds). */
export type Connection = ProviderInfo & { connectedAt: number | undefined };

export type DisconnectResult =
  | "disconnected"
  | "not-connected"
  /** The user couldn't sign in any more. */
  | "last-sign-in-method";

/** The configured providers, and since when they are connected. */
export async function listConnections({ db, providers }: AuthDeps, userId: string): Promise<Connection[]> {
  const rows = await listConnectionRows(db, userId);
  return providers.list.map((provider) => ({
    ...provider,
    connectedAt: rows.find(({ providerId }) => providerId === provider.id)?.connectedAt,
  }));
}

/** `id`: of a provider, or "wallet". */
type Disconnected = Pick<ProviderInfo, "name" | "canSignIn"> & { id: string };

export function disconnect(
  deps: AuthDeps,
  { userId, provider, ...origin }: { userId: string; provider: Disconnected } & RequestOrigin,
): Promise<DisconnectResult> {
  const { id: providerId, name } = provider;
  return transact(deps.db, async (trx): Promise<DisconnectResult> => {
    // Two requests at once must not remove the last two sign-in methods.
    if (!(await lockUser(trx, userId))) return "not-connected";
    if (provider.canSignIn && !(await hasOtherSignInMethod(deps, trx, { userId, providerId })))
      return "last-sign-in-method";
    if (!(await deleteConnection(trx, { userId, providerId }))) return "not-connected";
    await reportConnection(deps, trx, { userId, event: "account-unlinked", name, origin });
    return "disconnected";
  });
}

/** The address at the provider of single sign-on that ends the session there too. */
export async function findLogoutUrl(deps: AuthDeps, userId: string): Promise<string | undefined> {
  const provider = deps.providers.find("sso");
  const idToken = provider && (await findIdToken(deps.db, { userId, providerId: "sso" }));
  if (!provider || !idToken) return undefined;
  const { protocol } = await provider.load();
  const url = await protocol.createEndSessionURL?.({
    idToken: await symmetricDecrypt({ key: encryptionKey(deps.secret), data: idToken }),
    postLogoutRedirectURI: `${deps.baseUrl}/auth`,
  });
  return url?.href;
}

/** A password, a passkey, or something else that is connected and lets the user in. */
async function hasOtherSignInMethod(
  { providers, hasWallets }: AuthDeps,
  trx: Trx,
  { userId, providerId }: { userId: string; providerId: string },
): Promise<boolean> {
  const canSignIn = (id: string) => providers.find(id)?.canSignIn ?? (id === walletProvider.id && hasWallets);
  const rows = await listConnectionRows(trx, userId);
  if (rows.some((row) => row.providerId !== providerId && canSignIn(row.providerId))) return true;
  const passkey = await trx.selectFrom("passkey").select("id").where("owner_id", "=", userId).executeTakeFirst();
  const { rows: passwords } = await sql`select 1 from "account"
    where "userId" = ${userId} and "providerId" = 'credential' and "password" is not null`.execute(trx);
  return passkey !== undefined || passwords.length > 0;
}
