import { findPlan } from "#app/features/billing/data.server.ts";
import { passImageOf } from "#app/features/uploads/rules.ts";
import type { Slot } from "#app/features/uploads/rules.ts";
import { handleUpload } from "#app/features/uploads/upload-handler.server.ts";
import type { Feature } from "#app/services/features/feature.ts";
import type { Services } from "#app/services/http/context.ts";
import { functionError } from "#app/services/features/server-function.ts";
import { formBytes } from "#app/services/http/form-body.ts";

import { profileResource } from "./api/profile-resource.server.ts";
import { ensureProfile, findProfile } from "./data.server.ts";
import { profileExport } from "./exported-data.server.ts";
import { storeFirstPicture } from "./files/picture-data.server.ts";

/** Uploaded images of wallet passes are part of Premium. */
async function findPlanRefusal(services: Services, { ownerId, slot }: { ownerId: string; slot: Slot }) {
  if (!passImageOf(slot)) return undefined;
  const { hasOwnPassImages } = await findPlan(services, ownerId);
  return hasOwnPassImages ? undefined : { message: "Your own images on a pass are part of Premium." };
}

export const feature: Feature = {
  resources: [profileResource],
  functions: [
    {
      // For editors that hear of a save elsewhere.
      name: "profile-version",
      method: "GET",
      run: async ({ db }, { user }) => {
        const profile = await findProfile(db, user.id);
        return profile ? { body: { version: profile.version } } : functionError(404, "There is no profile yet.");
      },
    },
  ],
  rawRoutes: [
    {
      // Declared here, because a first upload creates the profile that it belongs to.
      method: "POST",
      path: "/uploads/:slot",
      maxBytes: "streamed",
      isSlow: true,
      handler: (services) => handleUpload(services, { ensureProfile, findPlanRefusal }),
    },
  ],
  jobs: { "provider-picture": storeFirstPicture },
  bodyLimits: [{ path: "/profile", maxBytes: formBytes.editors }],
  dataExport: profileExport,
  publicPages: ["/u/:id"],
  offline: { pages: ["/profile", "/u/*"] },
};
