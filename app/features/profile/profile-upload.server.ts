import type { Updateable } from "kysely";

import { findPlan } from "#app/features/billing/data.server.ts";
import { ensureProfile } from "#app/features/profile/data.server.ts";
import { passImageOf } from "#app/features/uploads/rules.ts";
import type { UploadDeps } from "#app/features/uploads/upload-handler.server.ts";
import type { ProfileTable } from "#app/services/database/schema.ts";
import type { DisplayedFile, DisplayFile } from "#app/services/features/displayed-file.ts";

/** Uploaded images of wallet passes are part of Premium. */
const findPlanRefusal: UploadDeps["findPlanRefusal"] = async (services, { ownerId, slot }) => {
  if (!passImageOf(slot)) return undefined;
  const { hasOwnPassImages } = await findPlan(services, ownerId);
  return hasOwnPassImages ? undefined : { message: "Your own images on a pass are part of Premium." };
};

/** What uploads need to know of their owner. A first upload creates the profile that it belongs to. */
export const uploadDeps: UploadDeps = { ensureProfile, findPlanRefusal };

/** How a profile names the files that it shows. */
export const profileFiles = {
  avatar: display((file) => ({
    avatar_key_prefix: file?.keyPrefix ?? null,
    avatar_options: file?.avatarOptions ?? null,
  })),
  banner: display((file) => ({ banner_key_prefix: file?.keyPrefix ?? null })),
  resume: display((file) => ({ resume_key_prefix: file?.keyPrefix ?? null, resume_filename: file?.filename ?? "" })),
};

function display(columns: (file: DisplayedFile) => Updateable<ProfileTable>): DisplayFile {
  return async (trx, { ownerId, displayed, now }) => {
    const { numUpdatedRows } = await trx
      .updateTable("profile")
      .set({ ...columns(displayed), updated_at: now })
      .where("owner_id", "=", ownerId)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  };
}
