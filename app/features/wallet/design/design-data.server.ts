import { findPlan } from "#app/features/billing/data.server.ts";
import { cardVisibleOn } from "#app/features/cards/card-fields.ts";
import { toCardViewModel } from "#app/features/cards/card-view-model.ts";
import { cardPath } from "#app/features/cards/address-rules.ts";
import { drawnStyle } from "#app/features/cards/card-style.ts";
import { findOwnCard, listCards } from "#app/features/cards/data.server.ts";
import { findFirstCard } from "#app/features/cards/public-card.server.ts";
import { hiddenReason, idsBeyondPlan } from "#app/features/cards/rules.ts";
import type { Card } from "#app/features/cards/schema.ts";
import { qrPath } from "#app/features/drawing/qr-code.ts";
import type { QrDrawing } from "#app/features/drawing/qr-code.ts";
import { listPassImages } from "#app/features/uploads/data.server.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import type { PassSource } from "#app/features/wallet/pass-content.ts";
import { offeredWallets } from "#app/features/wallet/data.server.ts";
import { includedDesign, readPassDesign } from "#app/features/wallet/pass-design.ts";
import type { PassDesign } from "#app/features/wallet/pass-design.ts";
import type { OfferedWallets } from "#app/features/wallet/public/wallet-badges.tsx";
import { findPassStatus } from "#app/features/wallet/updates/pass-status-data.server.ts";
import type { PassStatus } from "#app/features/wallet/updates/pass-status-data.server.ts";
import { transact } from "#app/services/database/database.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import { lockOwner } from "#app/services/database/owner-lock.server.ts";
import type { Services } from "#app/services/http/context.ts";
import type { Versioned } from "#app/ui/forms/versioned-values.ts";

import { listLibrary } from "#app/features/wallet/assets/library-data.server.ts";
import type { LibraryImage } from "#app/features/wallet/assets/library-data.server.ts";
import { isSamePass, toPassDesign, toPassForm } from "./pass-form.ts";
import type { PassFormValues } from "./pass-form.ts";

/** The design of a pass, and what has become of the pass. */
export type PassState = {
  stored: Versioned<PassFormValues>;
  /** When the design was last changed, in epoch milliseconds; undefined when the owner chose none. */
  updatedAt: number | undefined;
  library: LibraryImage[];
  /** The wallets that this installation makes passes for. */
  offered: OfferedWallets;
  /** The public path of the card; undefined while visitors can't open it. */
  path: string | undefined;
  /** Why visitors can't open the card, whose pass is then void: "Paused by you". Undefined when they can. */
  voidReason: string | undefined;
  /** Who has the pass, and whether they have the last change. */
  status: PassStatus;
};

/** What the editor of a pass shows and previews. */
export type PassEditorData = PassState & {
  cardId: string;
  /** Everything on the pass but its design. */
  source: Omit<PassSource, "design">;
  qr: QrDrawing;
  links: { id: string; name: string }[];
  isPremiumSold: boolean;
};

/** Of the page and the tab of the dialog. */
export type PassEditorPage = PassEditorData & {
  isOperator: boolean;
  /** What the library is searched for, without script. */
  search: string;
};

type PassOwner = { id: string; displayName: string; bio: string; theme: string; avatarKey: string | null };

/** Undefined for an unknown card and for another owner's. */
export async function loadPassState(services: Services, { ownerId, cardId }: { ownerId: string; cardId: string }) {
  const { db } = services;
  const cards = await listCards(db, ownerId);
  const card = cards.find(({ id }) => id === cardId);
  if (!card) return undefined;
  const plan = await findPlan(services, ownerId);
  const { design, version, updatedAt } = await readStoredDesign(db, cardId);
  const isPublic = (await findFirstCard(services, { id: cardId })) !== undefined;
  const state: PassState = {
    stored: { values: toPassForm(design, passLinkIds(card)), version },
    updatedAt,
    library: await listLibrary(db, ownerId),
    offered: offeredWallets(services),
    path: isPublic ? cardPath(card) : undefined,
    voidReason: hiddenReason({ ...card, isBeyondPlan: idsBeyondPlan(plan, cards).has(card.id) }, plan)?.title,
    status: await findPassStatus(db, cardId),
  };
  return { card, plan, state };
}

/** Undefined for an unknown card and for another owner's. */
export async function loadPassEditor(
  services: Services,
  { owner, cardId }: { owner: PassOwner; cardId: string },
): Promise<PassEditorData | undefined> {
  const { config, siteContent } = services;
  const loaded = await loadPassState(services, { ownerId: owner.id, cardId });
  if (!loaded) return undefined;
  const { card, plan, state } = loaded;
  const cardUrl = config.baseUrl + cardPath(card);
  const { displayName, avatarKey, bio, theme } = owner;
  const view = toCardViewModel(card, { displayName, avatarKey, logoKey: card.logoKey });
  return {
    ...state,
    cardId,
    source: {
      card: { ...view, id: cardId, bio, profileUrl: "", cardUrl },
      logoKey: card.logoKey,
      avatarKey,
      colors: drawnStyle(card.design, { theme, plan }).colors,
      plan: { hasBranding: plan.hasBranding, hasOwnPassImages: plan.hasOwnPassImages },
      issuer: { name: siteContent.operator.name || "Meishi", url: config.baseUrl },
    },
    qr: qrPath(markedUrl(cardUrl, "wallet")),
    links: view.links.map(({ id, name, url }) => ({ id, name: name || url.replace(/^https?:\/\//, "") })),
    isPremiumSold: config.premium === "sold",
  };
}

/** The links that a pass may show. */
function passLinkIds(card: Card): string[] {
  return cardVisibleOn("page", card).links.map(({ id }) => id);
}

/** The stored design; version 0 and the default when the owner chose none. */
export async function readStoredDesign(db: Db | Trx, cardId: string) {
  const row = await db
    .selectFrom("pass_design")
    .select(["design", "version", "updated_at"])
    .where("card_id", "=", cardId)
    .executeTakeFirst();
  return { design: readPassDesign(row?.design), version: row?.version ?? 0, updatedAt: row?.updated_at };
}

type DesignField = "background" | "tint" | "logo";

/** `fields` have images that aren't in the owner's library, or need another plan. */
type DesignSave<Refusal> =
  | { kind: "saved" | "gone" }
  | { kind: "unknown-image" | "beyond-plan"; fields: DesignField[] }
  | { kind: "refused"; refusal: Refusal };

type OwnCard = { ownerId: string; id: string };

/** Returns the new values, or why there are none. `linkIds`: of the card now, all of which `linkOrder` has to name. */
type DesignMerge<Refusal> = (
  stored: Versioned<PassFormValues>,
  linkIds: readonly string[],
) => { values: PassFormValues } | { refusal: Refusal };

/** Saves what `merge` makes of the stored design of a card's pass, which no one else changes in the meantime. */
export async function saveDesign<Refusal>(
  services: Services,
  card: OwnCard,
  merge: DesignMerge<Refusal>,
): Promise<DesignSave<Refusal>> {
  const { db, events, clock } = services;
  const plan = await findPlan(services, card.ownerId);
  return transact(db, async (trx) => {
    await lockOwner(trx, card.ownerId);
    const found = await findOwnCard(trx, card);
    if (!found) return { kind: "gone" };
    const linkIds = passLinkIds(found);
    const stored = await readStoredDesign(trx, card.id);
    const before = toPassForm(stored.design, linkIds);
    const merged = merge({ values: before, version: stored.version }, linkIds);
    if ("refusal" in merged) return { kind: "refused", ...merged };
    const design = toPassDesign(merged.values);
    const foreign = design && (await findForeignImages(trx, card.ownerId, design));
    if (!design || !foreign || foreign.length > 0) return { kind: "unknown-image", fields: foreign ?? [] };
    const beyond = findBeyondPlan(plan, design, stored.design);
    if (beyond.length > 0) return { kind: "beyond-plan", fields: beyond };
    if (!isSamePass(merged.values, before) || stored.version === 0) {
      await writeDesign(trx, { ...card, design, now: clock() });
      await events.record(trx, { kind: "card.saved", ownerId: card.ownerId, cardId: card.id });
    }
    return { kind: "saved" };
  });
}

/** The uploads of a design that aren't in its owner's library. */
async function findForeignImages(trx: Trx, ownerId: string, design: PassDesign): Promise<("background" | "logo")[]> {
  const uploads = (["background", "logo"] as const).filter((kind) => design[kind].kind === "asset");
  if (uploads.length === 0) return [];
  const images = await listPassImages(trx, ownerId);
  const isOwn = (kind: "background" | "logo", image: PassDesign["background"] | PassDesign["logo"]) =>
    images.some((one) => image.kind === "asset" && one.kind === kind && one.keyPrefix === image.key);
  return uploads.filter((kind) => !isOwn(kind, design[kind]));
}

/** What was chosen on another plan stays, but nothing beyond the plan can be added. */
function findBeyondPlan(
  plan: Parameters<typeof includedDesign>[0],
  design: PassDesign,
  stored: PassDesign,
): DesignField[] {
  const included = includedDesign(plan, design);
  const isAllowed = (field: DesignField) =>
    [included, stored].some((other) => JSON.stringify(other[field]) === JSON.stringify(design[field]));
  return (["background", "tint", "logo"] as const).filter((field) => !isAllowed(field));
}

type DesignWrite = OwnCard & { design: PassDesign; now: number };

export async function writeDesign(trx: Trx, { ownerId, id, design, now }: DesignWrite): Promise<void> {
  const stored = JSON.stringify(design);
  await trx
    .insertInto("pass_design")
    .values({ card_id: id, owner_id: ownerId, design: stored, updated_at: now })
    .onConflict((conflict) =>
      conflict
        .column("card_id")
        .doUpdateSet((row) => ({ design: stored, version: row("pass_design.version", "+", 1), updated_at: now })),
    )
    .execute();
}
