import { deleteUnconfirmedUsers } from "#app/services/auth/user-rows.server.ts";
import type { Feature } from "#app/services/features/feature.ts";
import type { Services } from "#app/services/http/context.ts";

import { unconfirmedAccountMs } from "./rules.ts";
import { handleAuthApi } from "./sign-in/auth-api-handler.server.ts";

/** It becomes a URL, and Node accepts 16 kB of headers. */
const maxCallbackBytes = 10_000;

export const feature: Feature = {
  rawRoutes: [
    {
      method: "ALL",
      path: "/api/auth/*",
      authentication: "oauth-state",
      maxBytes: maxCallbackBytes,
      handler: handleAuthApi,
    },
  ],
  offline: { signIn: ["/auth", "/api/auth"], signOut: ["/auth/sign-out"] },
  maintenance: [{ name: "unconfirmed accounts", run: sweepUnconfirmedAccounts }],
};

async function sweepUnconfirmedAccounts(services: Services) {
  const deleted = await deleteUnconfirmedUsers(services, services.clock() - unconfirmedAccountMs);
  if (deleted > 0) services.log.info({ accounts: deleted }, "unconfirmed accounts deleted");
}
