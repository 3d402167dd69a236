import { createAuthTables } from "#app/services/auth.server.ts";
import type { Db, Engine } from "#app/services/database.server.ts";

/** A profile without an account, for tests of what hangs on profiles alone. */
export async function makeOwner(db: Db, id = "ada"): Promise<void> {
  const times = { created_at: 1, updated_at: 1 };
  await db
    .insertInto("profile")
    .values({ user_id: id, display_name: id, bio: "", ...times })
    .execute();
}

/** An account without a profile, as it is before the first visit. */
export async function makeAccountRow(db: Db, engine: Engine, id = "ada"): Promise<void> {
  await createAuthTables(db, engine);
  const user = { id, name: id, email: `${id}@example.com`, emailVerified: engine === "sqlite" ? 1 : true };
  const times = { createdAt: new Date().toISOString(), updatedAt: new Date().toISOString() };
  await db
    .insertInto("user" as "setting")
    .values({ ...user, ...times } as never)
    .execute();
}
