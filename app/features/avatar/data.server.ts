import type { Db } from "#app/services/database/database.server.ts";

import { avatarOptionsSchema } from "./schema.ts";
import type { AvatarOptions } from "./rules.ts";

/** The options of an owner's generated avatar; undefined for a photo, for no avatar, and for options that are no longer valid. */
export async function findAvatarOptions(db: Db, ownerId: string): Promise<AvatarOptions | undefined> {
  const row = await db
    .selectFrom("profile")
    .select("avatar_options")
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  return readAvatarOptions(row?.avatar_options ?? "");
}

/** Parses options from JSON; undefined for anything else. */
export function readAvatarOptions(text: string): AvatarOptions | undefined {
  const read = avatarOptionsSchema.safeParse(parse(text));
  return read.success ? read.data : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
