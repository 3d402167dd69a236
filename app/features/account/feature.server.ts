import { deleteUnconfirmedUsers } from "#app/services/auth/user-rows.server.ts";
import type { Feature } from "#app/services/features/feature.ts";
import type { Services } from "#app/services/http/context.ts";

import { exportResource } from "./api/export-resource.server.ts";
import { unconfirmedAccountMs } from "./rules.ts";
import { accountExport } from "./settings/export/account-data.server.ts";
import { exportJob, sweepExports } from "./settings/export/data.server.ts";
import { prepareExport } from "./settings/export/export-tasks.server.ts";
import { handleAuthApi } from "./sign-in/auth-api-handler.server.ts";

/** It becomes a URL, and Node accepts 16 kB of headers. */
const maxCallbackBytes = 10_000;

export const feature: Feature = {
  resources: [exportResource],
  rawRoutes: [
    {
      method: "ALL",
      path: "/api/auth/*",
      authentication: "oauth-state",
      maxBytes: maxCallbackBytes,
      handler: handleAuthApi,
    },
  ],
  dataExport: accountExport,
  offline: { signIn: ["/auth", "/api/auth"], signOut: ["/auth/sign-out"] },
  jobs: { [exportJob]: prepareExport },
  maintenance: [
    { name: "unconfirmed accounts", run: sweepUnconfirmedAccounts },
    { name: "expired exports", run: sweepExports },
  ],
};

async function sweepUnconfirmedAccounts(services: Services) {
  const deleted = await deleteUnconfirmedUsers(services, services.clock() - unconfirmedAccountMs);
  if (deleted > 0) services.log.info({ accounts: deleted }, "unconfirmed accounts deleted");
}
