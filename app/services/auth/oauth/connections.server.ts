import { symmetricDecrypt } from "better-auth/crypto";
import { sql } from "kysely";

import type { RequestOrigin, SecurityEvents } from "#app/services/auth/audit/security-events.server.ts";
import type { EnqueueMail } from "#app/services/auth/better-auth.server.ts";
import { findAddress, lockUser } from "#app/services/auth/user-rows.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";

import { deleteConnection, encryptionKey, findIdToken, listConnectionRows } from "./connection-rows.server.ts";
import type { ProviderInfo, Providers } from "./providers.server.ts";

/** A provider that can be connected, and since when it is (epoch milliseconds). */
export type Connection = ProviderInfo & { connectedAt: number | undefined };

export type Connections = {
  providers: Providers;
  /** The configured providers, and those that are connected still. */
  listConnections(userId: string): Promise<Connection[]>;
  disconnect(request: { userId: string; provider: ProviderInfo } & RequestOrigin): Promise<DisconnectResult>;
  /** The address at the provider of single sign-on that ends the session there too. */
  findLogoutUrl(userId: string): Promise<string | undefined>;
};

export type DisconnectResult =
  | "disconnected"
  | "not-connected"
  /** The user couldn't sign in any more. */
  | "last-way-in";

type ConnectionsDeps = {
  db: Db;
  secret: string;
  baseUrl: string;
  providers: Providers;
  /** Whether users can sign in with a connected provider, or with a wallet. */
  canSignIn: (providerId: string) => boolean;
  securityEvents: SecurityEvents;
  enqueueMail: EnqueueMail;
};

/** The accounts at providers that users have connected. */
export function createConnections({
  db,
  secret,
  baseUrl,
  providers,
  canSignIn,
  ...deps
}: ConnectionsDeps): Connections {
  async function disconnect({ userId, provider, ...origin }: Parameters<Connections["disconnect"]>[0]) {
    return transact(db, async (trx): Promise<DisconnectResult> => {
      // Two requests at once must not remove the last two ways in.
      if (!(await lockUser(trx, userId))) return "not-connected";
      if (provider.canSignIn && !(await hasOtherWayIn(trx, { userId, providerId: provider.id, canSignIn })))
        return "last-way-in";
      if (!(await deleteConnection(trx, { userId, providerId: provider.id }))) return "not-connected";
      await deps.securityEvents.record(trx, {
        ownerId: userId,
        event: "account-unlinked",
        detail: provider.name,
        origin,
      });
      const user = await findAddress(trx, userId);
      if (user) await deps.enqueueMail({ kind: "account-disconnected", to: user.email, provider: provider.name }, trx);
      return "disconnected";
    });
  }

  return {
    providers,
    listConnections: async (userId) => {
      const rows = await listConnectionRows(db, userId);
      return providers.list.map((provider) => ({
        ...provider,
        connectedAt: rows.find(({ providerId }) => providerId === provider.id)?.connectedAt,
      }));
    },
    disconnect,
    findLogoutUrl: async (userId) => {
      const provider = providers.find("sso");
      const idToken = provider && (await findIdToken(db, { userId, providerId: "sso" }));
      if (!provider || !idToken) return undefined;
      const { protocol } = await provider.load();
      const url = await protocol.createEndSessionURL?.({
        idToken: await symmetricDecrypt({ key: encryptionKey(secret), data: idToken }),
        postLogoutRedirectURI: `${baseUrl}/auth`,
      });
      return url?.href;
    },
  };
}

/** A password, a passkey, or something else that is connected and lets the user in. */
export async function hasOtherWayIn(
  trx: Trx,
  { userId, providerId, canSignIn }: { userId: string; providerId: string; canSignIn: (providerId: string) => boolean },
): Promise<boolean> {
  const rows = await listConnectionRows(trx, userId);
  if (rows.some((row) => row.providerId !== providerId && canSignIn(row.providerId))) return true;
  const passkey = await trx.selectFrom("passkey").select("id").where("owner_id", "=", userId).executeTakeFirst();
  const { rows: passwords } = await sql`select 1 from "account"
    where "userId" = ${userId} and "providerId" = 'credential' and "password" is not null`.execute(trx);
  return passkey !== undefined || passwords.length > 0;
}
