import type { Plan } from "#app/features/billing/rules.ts";
import { fullName } from "#app/features/cards/card-fields.ts";
import { drawnStyle } from "#app/features/cards/card-style.ts";
import { formatJob, toCardViewModel } from "#app/features/cards/card-view-model.ts";
import { findMainCard, hiddenReason, hasRoomForCard, idsBeyondPlan, isUnreachable } from "#app/features/cards/rules.ts";
import type { CardListData, CardListItem, ThumbnailContent } from "#app/features/cards/rules.ts";
import type { Card } from "#app/features/cards/schema.ts";
import { initials } from "#app/ui/components/characters.ts";

/** The owner's cards as their list shows them, in the order of `cards`, and whether the plan allows another one. */
export function toCardList(plan: Plan, cards: readonly Card[], owner: CardOwner): CardListData {
  const beyond = idsBeyondPlan(plan, cards);
  const main = findMainCard(cards, { contactCardId: owner.contactCardId, plan });
  return {
    cards: cards.map((card) => ({
      ...toListItem(card, { plan, isBeyondPlan: beyond.has(card.id) }),
      isMain: card === main,
      thumbnail: toThumbnail(card, { ...owner, plan }),
    })),
    hasRoom: hasRoomForCard(plan, cards.length),
  };
}

/** What the list shows of its owner. */
type CardOwner = { displayName: string; avatarKey: string | null; theme: string; contactCardId: string };

function toThumbnail(
  card: Card,
  { displayName, avatarKey, theme, plan }: Omit<CardOwner, "contactCardId"> & { plan: Plan },
): ThumbnailContent {
  const view = toCardViewModel(card, { displayName, avatarKey, logoKey: card.logoKey });
  return {
    name: fullName(displayName.trim() || "Professional", view),
    company: view.company ?? "",
    work: formatJob(view) || (view.position ?? ""),
    contact: view.email ?? view.phone ?? "",
    avatar: view.avatar?.small,
    initials: initials(displayName.trim() || "Professional"),
    layout: card.design.layout,
    colors: drawnStyle(card.design, { theme, plan }).colors,
  };
}

function toListItem(
  card: Card,
  { plan, isBeyondPlan }: { plan: Plan; isBeyondPlan: boolean },
): Omit<CardListItem, "thumbnail" | "isMain"> {
  const { id, code, cardName, profession, company, isPublic, isPaused } = card;
  return {
    id,
    code,
    cardName,
    work: [profession, company].filter(Boolean).join(" · "),
    isPublic,
    isPaused,
    isBeyondPlan,
    hidden: hiddenReason({ isPublic, isPaused, isBeyondPlan }, plan)?.title ?? "",
    isUnreachable: isUnreachable(card),
  };
}
