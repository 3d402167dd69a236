import { listPassImages } from "#app/features/uploads/data.server.ts";
import type { PassImage } from "#app/features/uploads/data.server.ts";
import { passImageOf } from "#app/features/uploads/rules.ts";
import { listPassDesigns } from "#app/features/wallet/data.server.ts";
import { defaultPassDesign } from "#app/features/wallet/pass-design.ts";
import type { PassDesign } from "#app/features/wallet/pass-design.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import { lockOwner } from "#app/services/database/owner-lock.server.ts";
import type { Services } from "#app/services/http/context.ts";

/** An uploaded image, and on how many passes of its owner it is. */
export type LibraryImage = Pick<PassImage, "slot" | "kind" | "keyPrefix" | "filename"> & { usedBy: number };

export async function listLibrary(db: Db, ownerId: string): Promise<LibraryImage[]> {
  const images = await listPassImages(db, ownerId);
  if (images.length === 0) return [];
  const designs = (await listPassDesigns(db, ownerId)).map(({ design }) => design);
  return images.map(({ slot, kind, keyPrefix, filename }) => ({
    slot,
    kind,
    keyPrefix,
    filename,
    usedBy: designs.filter((design) => isShown(design[kind], keyPrefix)).length,
  }));
}

/** Gives the designs that show a deleted image the default, in the transaction that handles its removal. */
export async function replaceDeletedImage(
  { events, clock }: Pick<Services, "events" | "clock">,
  trx: Trx,
  { ownerId, slot }: { ownerId: string; slot: string },
): Promise<void> {
  const image = passImageOf(slot);
  if (!image) return;
  await lockOwner(trx, ownerId);
  const isRemaining = (await listPassImages(trx, ownerId)).some((one) => one.slot === slot);
  if (isRemaining) return;
  for (const { cardId, design } of await listPassDesigns(trx, ownerId)) {
    const chosen = design[image.kind];
    if (chosen.kind !== "asset" || !chosen.key.includes(`/pass-${image.id}_`)) continue;
    const changed = { ...design, [image.kind]: defaultPassDesign[image.kind] };
    await trx
      .updateTable("pass_design")
      .set((row) => ({ design: JSON.stringify(changed), version: row("version", "+", 1), updated_at: clock() }))
      .where("card_id", "=", cardId)
      .execute();
    await events.record(trx, { kind: "card.saved", ownerId, cardId });
  }
}

function isShown(image: PassDesign["background"] | PassDesign["logo"], key: string): boolean {
  return image.kind === "asset" && image.key === key;
}
