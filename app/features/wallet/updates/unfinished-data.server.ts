import type { RouterContextProvider } from "react-router";

import { hasPasses } from "#app/features/wallet/data.server.ts";
import type { Db } from "#app/services/database/database.server.ts";
import { services, viewer } from "#app/services/http/context.ts";

/**
 * For the banner: whether the signed-in user has yet to design a pass and add it to a device. False where no passes can be made, and when
 * it can't be read.
 */
export async function findUnfinishedPass(context: Readonly<RouterContextProvider>): Promise<boolean> {
  const owner = viewer(context);
  const all = services(context);
  if (!owner || !hasPasses(all)) return false;
  try {
    return !(await hasFinishedPass(all.db, { ownerId: owner.id, updates: all.config.baseUrl.startsWith("https:") }));
  } catch (error) {
    all.log.error({ err: error }, "could not read the passes; the banner does not mention them");
    return false;
  }
}

/**
 * Whether a card has a designed pass that someone added. `updates`: whether phones register for updates, which Apple does only with https.
 * Elsewhere a pass that was downloaded counts.
 */
async function hasFinishedPass(db: Db, { ownerId, updates }: { ownerId: string; updates: boolean }): Promise<boolean> {
  const row = await db
    .selectFrom("pass_design as design")
    .select("design.card_id")
    .where("design.owner_id", "=", ownerId)
    .where(({ or, exists, selectFrom }) => {
      const pass = selectFrom("wallet_pass as pass")
        .select("pass.card_id")
        .whereRef("pass.card_id", "=", "design.card_id");
      const isOnDevice = pass.innerJoin("wallet_registration as device", "device.card_id", "pass.card_id");
      return or([
        exists(updates ? isOnDevice : pass),
        exists(
          selectFrom("google_pass")
            .select("google_pass.card_id")
            .whereRef("google_pass.card_id", "=", "design.card_id")
            .where("sent_at", "is not", null),
        ),
      ]);
    })
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
