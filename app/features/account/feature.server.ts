import { deleteUnconfirmedUsers } from "#app/services/auth/user-rows.server.ts";
import type { Feature } from "#app/services/features/feature.ts";
import type { Services } from "#app/services/http/context.ts";

import { unconfirmedAccountMs } from "./rules.ts";

export const feature: Feature = {
  offline: { signIn: ["/auth"], signOut: ["/auth/sign-out"] },
  maintenance: [{ name: "unconfirmed accounts", run: sweepUnconfirmedAccounts }],
};

async function sweepUnconfirmedAccounts(services: Services) {
  const deleted = await deleteUnconfirmedUsers(services, services.clock() - unconfirmedAccountMs);
  if (deleted > 0) services.log.info({ accounts: deleted }, "unconfirmed accounts deleted");
}
