import { findPlan } from "#app/features/billing/data.server.ts";
import { cardVisibleOn } from "#app/features/cards/card-fields.ts";
import { toCardViewModel } from "#app/features/cards/card-view-model.ts";
import { cardPath } from "#app/features/cards/address-rules.ts";
import { drawnColors } from "#app/features/cards/card-style.ts";
import { listCards } from "#app/features/cards/data.server.ts";
import { findFirstCard } from "#app/features/cards/public-card.server.ts";
import { findOldest, hiddenReason, isBeyondPlan } from "#app/features/cards/rules.ts";
import type { Card } from "#app/features/cards/schema.ts";
import { qrPath } from "#app/features/drawing/qr-code.ts";
import type { QrDrawing } from "#app/features/drawing/qr-code.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import type { PassSource } from "#app/features/wallet/pass-content.ts";
import { offeredWallets } from "#app/features/wallet/data.server.ts";
import { readPassDesign } from "#app/features/wallet/pass-design.ts";
import type { PassDesign } from "#app/features/wallet/pass-design.ts";
import type { OfferedWallets } from "#app/features/wallet/public/wallet-badges.tsx";
import { findPassStatus } from "#app/features/wallet/updates/pass-status-data.server.ts";
import type { PassStatus } from "#app/features/wallet/updates/pass-status-data.server.ts";
import type { Db, Trx } from "#app/services/database/database.server.ts";
import type { Services } from "#app/services/http/context.ts";
import type { Versioned } from "#app/ui/forms/versioned-values.ts";

import { listLibrary } from "#app/features/wallet/assets/library-data.server.ts";
import type { LibraryImage } from "#app/features/wallet/assets/library-data.server.ts";
import { toPassForm } from "./pass-form.ts";
import type { PassFormValues } from "./pass-form.ts";

/** What the editor of a pass shows and previews. */
export type PassEditorData = {
  cardId: string;
  stored: Versioned<PassFormValues>;
  /** Everything on the pass but its design. */
  source: Omit<PassSource, "design">;
  qr: QrDrawing;
  links: { id: string; name: string }[];
  library: LibraryImage[];
  isPremiumSold: boolean;
  /** The wallets that this installation makes passes for. */
  offered: OfferedWallets;
  /** The public path of the card; undefined while visitors can't open it. */
  path: string | undefined;
  /** Why visitors can't open the card, whose pass is then void: "Paused by you". Undefined when they can. */
  voidReason: string | undefined;
  /** Who has the pass, and whether they have the last change. */
  status: PassStatus;
};

/** Of the page and the tab of the dialog. */
export type PassEditorPage = PassEditorData & {
  isOperator: boolean;
  /** What the library is searched for, without script. */
  search: string;
};

type PassOwner = { id: string; displayName: string; bio: string; theme: string; avatarKey: string | null };

/** Undefined for an unknown card and for another owner's. */
export async function loadPassEditor(
  services: Services,
  { owner, cardId }: { owner: PassOwner; cardId: string },
): Promise<PassEditorData | undefined> {
  const { db, config, siteContent } = services;
  const cards = await listCards(db, owner.id);
  const card = cards.find(({ id }) => id === cardId);
  if (!card) return undefined;
  const plan = await findPlan(services, owner.id);
  const { design, version } = await readStoredDesign(db, cardId);
  const cardUrl = config.baseUrl + cardPath(card);
  const { displayName, avatarKey, bio, theme } = owner;
  const isPublic = (await findFirstCard(services, { id: cardId })) !== undefined;
  const view = toCardViewModel(card, { displayName, avatarKey, logoKey: card.logoKey });
  return {
    cardId,
    stored: { values: toPassForm(design, passLinkIds(card)), version },
    source: {
      card: { ...view, id: cardId, bio, profileUrl: "", cardUrl },
      logoKey: card.logoKey,
      avatarKey,
      colors: drawnColors(card.design, { theme, plan }).colors,
      plan: { hasBranding: plan.hasBranding, hasOwnPassImages: plan.hasOwnPassImages },
      issuer: { name: siteContent.operator.name || "Meishi", url: config.baseUrl },
    },
    qr: qrPath(markedUrl(cardUrl, "wallet")),
    links: view.links.map(({ id, name, url }) => ({ id, name: name || url.replace(/^https?:\/\//, "") })),
    library: await listLibrary(db, owner.id),
    isPremiumSold: config.premium === "sold",
    offered: offeredWallets(services),
    path: isPublic ? cardPath(card) : undefined,
    voidReason: hiddenReason({ ...card, isBeyondPlan: isBeyondPlan(plan, { isOldest: card === findOldest(cards) }) })
      ?.title,
    status: await findPassStatus(db, cardId),
  };
}

/** The links that a pass may show. */
export function passLinkIds(card: Card): string[] {
  return cardVisibleOn("page", card).links.map(({ id }) => id);
}

/** The stored design; version 0 and the default when the owner chose none. */
export async function readStoredDesign(db: Db | Trx, cardId: string): Promise<{ design: PassDesign; version: number }> {
  const row = await db
    .selectFrom("pass_design")
    .select(["design", "version"])
    .where("card_id", "=", cardId)
    .executeTakeFirst();
  return { design: readPassDesign(row?.design), version: row?.version ?? 0 };
}

type DesignWrite = { ownerId: string; id: string; design: PassDesign; now: number };

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
