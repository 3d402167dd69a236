import type { Db } from "#app/services/database.server.ts";

import { avatarOptions } from "./form.ts";
import type { AvatarOptions } from "./rules.ts";

/** What somebody's avatar was drawn from; undefined where it is a photo, where there is none, and where it can't be drawn any more. */
export async function findAvatarOptions(db: Db, ownerId: string): Promise<AvatarOptions | undefined> {
  const row = await db.selectFrom("profile").select("avatar_options").where("user_id", "=", ownerId).executeTakeFirst();
  return readAvatarOptions(row?.avatar_options ?? "");
}

/** Options from JSON; undefined for anything else. */
export function readAvatarOptions(text: string): AvatarOptions | undefined {
  const read = avatarOptions.safeParse(parse(text));
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
