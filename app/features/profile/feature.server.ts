import { maxArchiveBytes } from "#app/features/links/import-file.ts";
import { handleUpload } from "#app/features/uploads/upload-handler.server.ts";
import type { DataExport } from "#app/services/features/data-export.ts";
import type { Feature } from "#app/services/features/feature.ts";
import { functionError } from "#app/services/features/server-function.ts";
import { formBytes } from "#app/services/http/form-body.ts";

import { fileResource } from "./api/file-resource.server.ts";
import { profileResource } from "./api/profile-resource.server.ts";
import { findProfile } from "./data.server.ts";
import { storeFirstImage } from "./files/provider-image-data.server.ts";
import { profileFiles, uploadDeps } from "./profile-upload.server.ts";

export const profileExport: DataExport = {
  tables: ["profile", "handle"],
  sections: ({ db, ownerId, baseUrl }) => ({
    profile: async () => {
      const row = await db.selectFrom("profile").selectAll().where("owner_id", "=", ownerId).executeTakeFirst();
      const profile = await findProfile(db, ownerId);
      if (!row || !profile) return null;
      const { avatar_options, pages_version: _, ...columns } = row;
      return {
        ...columns,
        links: profile.links,
        avatar_options: avatar_options === null ? null : JSON.parse(avatar_options),
        url: `${baseUrl}/u/${profile.handle || ownerId}`,
      };
    },
    handles: () =>
      db
        .selectFrom("handle")
        .select(["handle", "is_current", "created_at"])
        .where("owner_id", "=", ownerId)
        .orderBy("created_at")
        .execute(),
  }),
};

export const feature: Feature = {
  resources: [profileResource, fileResource],
  functions: [
    {
      // For editors, which are notified of a save elsewhere.
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
      handler: (services) => handleUpload(services, uploadDeps),
    },
  ],
  jobs: { "provider-picture": storeFirstImage },
  bodyLimits: [
    { path: "/profile", maxBytes: formBytes.editors },
    { path: "/profile/links/import", maxBytes: maxArchiveBytes },
  ],
  dataExport: profileExport,
  displays: profileFiles,
  publicPages: ["/u/:id"],
  offline: { pages: ["/profile", "/u/*"] },
};
