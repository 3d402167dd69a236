import type { RawRoute } from "#app/services/features/feature.ts";

import { handleChangedPasses } from "./changed-passes-handler.server.ts";
import { handleDeviceLog } from "./device-log-handler.server.ts";
import { handleLatestPass } from "./latest-pass-handler.server.ts";
import { handleRegistration } from "./registration-handler.server.ts";

/** Below the `webServiceURL` of each pass. developer.apple.com: "Adding a Web Service to Update Passes". */
export const passServiceRoutes: readonly RawRoute[] = [
  {
    method: "ALL",
    path: "/passkit/v1/devices/:deviceId/registrations/:passTypeId/:serialNumber",
    authentication: "bearer",
    maxBytes: 2_000,
    handler: handleRegistration,
  },
  {
    method: "GET",
    path: "/passkit/v1/devices/:deviceId/registrations/:passTypeId",
    authentication: "bearer",
    handler: handleChangedPasses,
  },
  {
    method: "GET",
    path: "/passkit/v1/passes/:passTypeId/:serialNumber",
    authentication: "bearer",
    handler: handleLatestPass,
  },
  {
    method: "POST",
    path: "/passkit/v1/log",
    authentication: "none: changes nothing",
    maxBytes: 20_000,
    handler: handleDeviceLog,
  },
];
