import { formatDate } from "#app/services/base/format.ts";
import type { Services } from "#app/services/http/context.ts";

import type { ConnectionItem } from "./connection-list.tsx";
import { shortAddress, walletMessages } from "./social-messages.ts";

/** The wallet and the accounts at providers for `ConnectionList`. */
export async function listConnectionItems({ auth }: Services, userId: string): Promise<ConnectionItem[]> {
  const connections = await auth.listConnections(userId);
  const items = connections.map(({ id, name, canSignIn, connectedAt }) => ({
    id,
    name,
    canSignIn,
    since: connectedAt === undefined ? undefined : formatDate(connectedAt),
  }));
  if (!auth.hasWallets) return items;
  const wallet = await auth.findWallet(userId);
  const name = wallet ? `${walletMessages.name} ${shortAddress(wallet.address)}` : walletMessages.name;
  return [...items, { id: "wallet", name, canSignIn: true, since: wallet && formatDate(wallet.connectedAt) }];
}
