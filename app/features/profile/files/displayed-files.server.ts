import type { Updateable } from "kysely";

import type { ProfileTable } from "#app/services/database/schema.ts";
import type { DisplayedFile, DisplayFile } from "#app/services/features/displayed-file.ts";

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
