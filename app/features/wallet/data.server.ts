import { createHash, randomBytes } from "node:crypto";

import { sql } from "kysely";

import { findSigner } from "#app/services/config/apple-passes.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import { inKeyRanges } from "#app/services/jobs/long-work.server.ts";
import type { Services } from "#app/services/http/context.ts";

import { readPassDesign } from "./pass-design.ts";
import type { PassDesign } from "./pass-design.ts";
import type { OfferedWallets } from "./public/wallet-badges.tsx";

/** The wallets that passes can be made for now. */
export function offeredWallets({ applePasses, googleWallet, clock }: PassServices): OfferedWallets {
  return { apple: findSigner(applePasses, clock()) !== undefined, google: googleWallet !== undefined };
}

/** Whether a pass can be made now, for any wallet. */
export function hasPasses(all: PassServices): boolean {
  const { apple, google } = offeredWallets(all);
  return apple || google;
}

type PassServices = Pick<Services, "applePasses" | "googleWallet" | "clock">;

/** The design that a card's owner chose, or the default. */
export async function findPassDesign(db: Db | Trx, cardId: string): Promise<PassDesign> {
  const row = await db.selectFrom("pass_design").select("design").where("card_id", "=", cardId).executeTakeFirst();
  return readPassDesign(row?.design);
}

/** The designs that an owner chose for their cards. */
export async function listPassDesigns(
  db: Db | Trx,
  ownerId: string,
): Promise<{ cardId: string; design: PassDesign }[]> {
  const rows = await db
    .selectFrom("pass_design")
    .select(["card_id", "design"])
    .where("owner_id", "=", ownerId)
    .execute();
  return rows.map(({ card_id, design }) => ({ cardId: card_id, design: readPassDesign(design) }));
}

export type IssuedPass = {
  /** What a device has to show to the update service. */
  authenticationToken: string;
  /** When something visible last changed, in epoch milliseconds. */
  changedAt: number;
};

/**
 * Returns the pass of a card, and creates it the first time. `contentHash` stands for all that it shows: when it differs from the stored
 * one, the pass has changed now. Call it before each build, so that the time never lags behind what is sent.
 */
export async function issuePass(
  { db, signForever, clock }: Pick<Services, "db" | "signForever" | "clock">,
  { cardId, ownerId, contentHash }: { cardId: string; ownerId: string; contentHash: string },
): Promise<IssuedPass> {
  const found = await findPass(db, cardId);
  if (found?.content_hash === contentHash)
    return { authenticationToken: authenticationToken(signForever, found.token_seed), changedAt: found.changed_at };
  const now = clock();
  const seed = randomBytes(24).toString("base64url");
  const { token_seed, changed_at } = await db
    .insertInto("wallet_pass")
    .values({
      card_id: cardId,
      owner_id: ownerId,
      token_seed: seed,
      token_hash: hashToken(authenticationToken(signForever, seed)),
      content_hash: contentHash,
      changed_at: now,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict.column("card_id").doUpdateSet((row) => ({
        content_hash: contentHash,
        // A deleted card may have been created again, with the same id. Its pass lives again.
        deleted_at: row
          .case()
          .when(row.exists(row.selectFrom("card").select("id").where("id", "=", cardId)))
          .then(null)
          .else(row.ref("wallet_pass.deleted_at"))
          .end(),
        // Of two changes within a millisecond the second one is later, too.
        changed_at: row
          .case()
          .when("wallet_pass.changed_at", "<", now)
          .then(now)
          .else(row("wallet_pass.changed_at", "+", 1))
          .end(),
      })),
    )
    .returning(["token_seed", "changed_at"])
    .executeTakeFirstOrThrow();
  return { authenticationToken: authenticationToken(signForever, token_seed), changedAt: changed_at };
}

async function findPass(db: Db, cardId: string) {
  return db
    .selectFrom("wallet_pass")
    .select(["token_seed", "content_hash", "changed_at"])
    .where("card_id", "=", cardId)
    .executeTakeFirst();
}

/** The same for each build of one pass. 43 characters; Apple requires at least 16. */
function authenticationToken(signForever: Services["signForever"], seed: string): string {
  return signForever("wallet pass", seed);
}

/** As in the column `token_hash`. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The card was deleted: nothing of its owner stays, but devices can still learn that its pass is void. */
export async function retirePass(trx: Trx, { cardId, now }: { cardId: string; now: number }): Promise<void> {
  await trx.deleteFrom("pass_design").where("card_id", "=", cardId).execute();
  await trx
    .updateTable("wallet_pass")
    .set({ deleted_at: now })
    .where("card_id", "=", cardId)
    .where("deleted_at", "is", null)
    .execute();
}

/** The same for all cards of an account that was deleted. Returns their ids. */
export async function retirePassesOfOwner(
  trx: Trx,
  { ownerId, now }: { ownerId: string; now: number },
): Promise<string[]> {
  await trx.deleteFrom("pass_design").where("owner_id", "=", ownerId).execute();
  const rows = await trx
    .updateTable("wallet_pass")
    .set((row) => ({ owner_id: "", deleted_at: row.fn.coalesce("deleted_at", row.val(now)) }))
    .where("owner_id", "=", ownerId)
    .returning("card_id")
    .execute();
  return rows.map(({ card_id }) => card_id);
}

/** The passes of a card that was deleted and created again, with the same id, live again. Other passes are left as they are. */
export async function restorePasses(trx: Trx, { cardId, ownerId }: { cardId: string; ownerId: string }): Promise<void> {
  const card = trx.selectFrom("card").select("id").where("id", "=", cardId).where("owner_id", "=", ownerId);
  const live = { deleted_at: null, owner_id: ownerId };
  await trx
    .updateTable("wallet_pass")
    .set(live)
    .where("deleted_at", "is not", null)
    .where("card_id", "in", card)
    .execute();
  await trx
    .updateTable("google_pass")
    .set(live)
    .where("deleted_at", "is not", null)
    .where("card_id", "in", card)
    .execute();
}

/** How long a pass of a deleted card answers devices. */
const retiredMs = 30 * 24 * 60 * 60_000;

/** Deletes passes of cards that were deleted a month ago, with their registrations, and devices without a pass. */
export async function sweepPasses({ db, clock }: Pick<Services, "db" | "clock">): Promise<void> {
  const isCardGone = sql<boolean>`not exists (select 1 from card where card.id = wallet_pass.card_id)`;
  await inKeyRanges(db, { table: "wallet_pass", key: "card_id" }, async (isInRange) => {
    // A pass that was requested while its card was being deleted.
    const requested = db.updateTable("wallet_pass").set({ owner_id: "", deleted_at: clock() }).where(isInRange);
    await requested.where("deleted_at", "is", null).where(isCardGone).execute();
    const retired = db.deleteFrom("wallet_pass").where(isInRange);
    await retired
      .where("deleted_at", "<", clock() - retiredMs)
      .where(isCardGone)
      .execute();
  });
  const isPassGone = sql<boolean>`not exists (select 1 from wallet_pass p where p.card_id = wallet_registration.card_id)`;
  await inKeyRanges(db, { table: "wallet_registration", key: "device_id" }, (isInRange) =>
    db.deleteFrom("wallet_registration").where(isInRange).where(isPassGone).execute(),
  );
  const isUnused = sql<boolean>`not exists (select 1 from wallet_registration r where r.device_id = wallet_device.id)`;
  await inKeyRanges(db, { table: "wallet_device", key: "id" }, (isInRange) =>
    db.deleteFrom("wallet_device").where(isInRange).where(isUnused).execute(),
  );
}
