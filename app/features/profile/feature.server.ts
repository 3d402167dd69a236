import { handleUpload } from "#app/features/uploads/upload-handler.server.ts";
import type { Feature } from "#app/services/features/feature.ts";
import { formBytes } from "#app/services/http/form-body.ts";

import { ensureProfile } from "./data.server.ts";
import { profileExport } from "./exported-data.server.ts";
import { storeFirstPicture } from "./files/picture-data.server.ts";

export const feature: Feature = {
  rawRoutes: [
    {
      // Declared here, because a first upload creates the profile that it belongs to.
      method: "POST",
      path: "/uploads/:slot",
      maxBytes: "streamed",
      isSlow: true,
      handler: (services) => handleUpload(services, { ensureProfile }),
    },
  ],
  jobs: { "provider-picture": storeFirstPicture },
  bodyLimits: [{ path: "/profile", maxBytes: formBytes.editors }],
  dataExport: profileExport,
  publicPages: ["/u/:id"],
  offline: { pages: ["/profile", "/u/*"] },
};
