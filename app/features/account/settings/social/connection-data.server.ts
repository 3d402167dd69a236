import { formatDate } from "#app/services/base/format.ts";
import type { Services } from "#app/services/http/context.ts";

import type { ConnectionItem } from "./connection-list.tsx";

/** The accounts at providers for `ConnectionList`. */
export async function listConnectionItems({ auth }: Services, userId: string): Promise<ConnectionItem[]> {
  const connections = await auth.listConnections(userId);
  return connections.map(({ id, name, canSignIn, connectedAt }) => ({
    id,
    name,
    canSignIn,
    since: connectedAt === undefined ? undefined : formatDate(connectedAt),
  }));
}
