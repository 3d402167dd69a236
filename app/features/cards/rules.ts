import { plans } from "#app/features/billing/rules.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import type { BusinessCardColors } from "#app/features/drawing/business-card-style.ts";
import { withScheme } from "#app/features/links/rules.ts";
import { noContactCard } from "#app/features/profile/rules.ts";
import { shortened } from "#app/services/base/plain-text.ts";

import { emptyOptionalFields, maxLengths } from "./card-fields.ts";
import { defaultDesign } from "./card-design.ts";
import type { CardLayout } from "./card-design.ts";
import { beyondPlanText } from "./limit-messages.ts";
import { messages } from "./messages.ts";
import type { CardInput } from "./schema.ts";

/** New cards per account, with copies: enough to try out cards for an hour, too few to use up short addresses. */
export const newCardLimit = { name: "new card", max: 60, windowMs: 60 * 60_000 } as const;

/** Whether the plan allows another card. */
export function hasRoomForCard(plan: Plan, cardsOwned: number): boolean {
  return cardsOwned < plan.maxCards;
}

/**
 * After a downgrade only the oldest cards stay public, as many as the plan has; the others are stored and only their owner sees them. Unlike
 * `isPaused`, which the owner decides. `olderCards`: how many the owner created earlier.
 */
export function isBeyondPlan({ maxCards }: Pick<Plan, "maxCards">, { olderCards }: { olderCards: number }): boolean {
  return olderCards >= maxCards;
}

/** The ids of those of an owner's cards that the plan doesn't show. */
export function idsBeyondPlan(plan: Pick<Plan, "maxCards">, cards: readonly DatedItem[]): ReadonlySet<string> {
  const beyond = byAge(cards).filter((_, olderCards) => isBeyondPlan(plan, { olderCards }));
  return new Set(beyond.map(({ id }) => id));
}

type DatedItem = { id: string; createdAt: number };

/** The oldest first, whatever their positions in the owner's list. */
export function byAge<Item extends DatedItem>(cards: readonly Item[]): Item[] {
  return cards.toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
}

/**
 * The card that visitors of the profile open and save: the chosen one (`contactCardId` of the profile), or else the oldest that they can
 * open. Neither a new card nor the owner's order changes it. Undefined when they can open none, or the owner chose none.
 */
export function findMainCard<Item extends DatedItem & { isPublic: boolean; isPaused: boolean }>(
  cards: readonly Item[],
  { contactCardId, plan }: { contactCardId: string; plan: Pick<Plan, "maxCards"> },
): Item | undefined {
  if (contactCardId === noContactCard) return undefined;
  const beyond = idsBeyondPlan(plan, cards);
  const open = byAge(cards).filter(({ id, isPublic, isPaused }) => isPublic && !isPaused && !beyond.has(id));
  return open.find(({ id }) => id === contactCardId) ?? open[0];
}

/** A card as the list draws it, small: what visitors see of it. Missing texts are "". */
export type ThumbnailContent = {
  name: string;
  company: string;
  work: string;
  /** The email address or the phone number. */
  contact: string;
  /** The URL of the owner's avatar, and what is shown without one. */
  avatar: string | undefined;
  initials: string;
  layout: CardLayout;
  colors: BusinessCardColors;
};

export type CardListData = { cards: CardListItem[]; hasRoom: boolean };

export type CardListItem = {
  id: string;
  /** The short address; "" for none. */
  code: string;
  cardName: string;
  /** "Product designer · Example Studio", or "". */
  work: string;
  isPublic: boolean;
  /** Hidden from visitors by its owner. */
  isPaused: boolean;
  /** The plan doesn't include it: it is stored, and only its owner sees it. */
  isBeyondPlan: boolean;
  /** Why visitors can't open it, as a short label; "" when they can. */
  hidden: string;
  /** Whether it is the one that visitors of the profile open and save. */
  isMain: boolean;
  /** Nothing on it leads to its owner. */
  isUnreachable: boolean;
  thumbnail: ThumbnailContent;
};

/** Why visitors can't open a card, as a title and a text; undefined when they can. `plan`: that of its owner. */
export function hiddenReason(
  card: Pick<CardListItem, "isPublic" | "isPaused" | "isBeyondPlan">,
  plan: Pick<Plan, "name" | "maxCards">,
): { title: string; text: string } | undefined {
  if (card.isPaused) return messages.previewPaused;
  if (!card.isPublic) return messages.previewPrivate;
  return card.isBeyondPlan ? { title: `Paused on ${plan.name}`, text: beyondPlanText(plan) } : undefined;
}

/** "Copy of Studio", at most as long as a card's name may be. */
export function copyName(cardName: string): string {
  return shortened(`Copy of ${cardName}`, maxLengths.cardName);
}

/** Whether a card has no phone number, email address or link: whoever saves it can't reach its owner. */
export function isUnreachable(card: ContactFields): boolean {
  const { email, phone, emails, phones, website, links } = card;
  return !email && !phone && !website && emails.length + phones.length + links.length === 0;
}

type ContactFields = Pick<CardInput, "email" | "phone" | "emails" | "phones" | "website" | "links">;

/** "Ada Business Card"; the next one is "Ada Business Card 2". */
function newCardName(displayName: string, names: readonly string[]): string {
  const name = `${displayName || "My"} Business Card`;
  const taken = new Set(names);
  for (let count = 1; ; count++) {
    const numbered = count === 1 ? name : `${name} ${count}`;
    if (!taken.has(numbered)) return numbered;
  }
}

/**
 * A new card: filled in with the profile's name and as many of its links as a card can have. `names` are those of the owner's other cards;
 * `contact` is one of them, whose phone number and email address the new one takes over.
 */
export function newCard(profile: {
  displayName: string;
  links: { id: string; label: string; url: string }[];
  /** Of the plan. */
  maxLinks?: number;
  names?: readonly string[];
  contact?: Pick<CardInput, "email" | "phone" | "visibility"> | undefined;
}): CardInput {
  const { email = "", phone = "", visibility } = profile.contact ?? {};
  return {
    cardName: newCardName(profile.displayName, profile.names ?? []),
    profession: "",
    company: "",
    position: "",
    email,
    phone,
    yearsExperience: null,
    links: profile.links
      .slice(0, profile.maxLinks ?? plans.free.maxLinks)
      .map(({ id, label, url }) => ({ id, name: label || "Link", url: withScheme(url) })),
    isPublic: true,
    design: defaultDesign,
    ...emptyOptionalFields(),
    visibility: {
      ...(visibility?.email && { email: visibility.email }),
      ...(visibility?.phone && { phone: visibility.phone }),
    },
  };
}

/** The link preview of a card's address in chats. */
export function cardSummary(card: {
  displayName: string;
  profession: string | null;
  company: string | null;
  position: string | null;
  bio: string | null;
}): { title: string; description: string } {
  const work = [card.position ?? card.profession, card.company].filter(Boolean).join(", ");
  const title = card.displayName.trim() || "Professional";
  const about = card.bio?.replaceAll(/\s+/g, " ") ?? "";
  return { title, description: [work, about].filter(Boolean).join(" – ") || `${title}'s business card` };
}
