import type { Plan } from "#app/features/billing/rules.ts";
import { withScheme } from "#app/features/links/rules.ts";
import { shortened } from "#app/services/plain-text.ts";

import type { Card, CardChange } from "./data.server.ts";
import { messages } from "./messages.ts";
import { noMore } from "./more-fields.ts";

export const maxYearsExperience = 100;

/** In UTF-16 code units, as the browser's own `maxLength` counts. An e-mail address: RFC 5321 §4.5.3.1.3 less its brackets. */
export const maxLengths = {
  card_name: 100,
  email: 254,
  phone: 40,
  profession: 100,
  company: 100,
  position: 100,
} as const;

/**
 * What is longer than this was never typed by hand: it is refused before anything cleans it. Unicode's composition (NFC) takes
 * time by the square of a run of accents, so a megabyte of them would keep the process busy for a minute.
 */
export const maxTyped = 5_000;

/** The refusal to show when this plan has no room for one more card. */
export function refuseNewCard(plan: Plan, cardsOwned: number) {
  return cardsOwned < plan.maxCards ? undefined : messages.freeCardLimit;
}

/**
 * After a downgrade the oldest card stays public; the others are kept, and shown to nobody but their owner. Not to be confused with
 * `isPaused` of a card, which its owner says.
 */
export function isBeyondPlan(plan: Plan, card: { isOldest: boolean }): boolean {
  return Number.isFinite(plan.maxCards) && !card.isOldest;
}

/** The card that was made first, wherever it stands in its owner's order. */
export function oldestOf<Made extends { id: string; createdAt: number }>(cards: readonly Made[]): Made | undefined {
  return cards.toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1))[0];
}

/** The owner's cards as their list shows them, in the order of `cards`, and whether the plan has room for one more. */
export function listedCards(plan: Plan, cards: readonly Card[]): CardsOfOwner {
  const oldest = oldestOf(cards);
  return {
    cards: cards.map((card) => listed(card, isBeyondPlan(plan, { isOldest: card === oldest }))),
    hasRoom: refuseNewCard(plan, cards.length) === undefined,
  };
}

function listed({ id, cardName, profession, company, isPublic, isPaused }: Card, isBeyondPlan: boolean): ListedCard {
  return {
    id,
    cardName,
    work: [profession, company].filter(Boolean).join(" · "),
    isPublic,
    isPaused,
    isBeyondPlan,
    hidden: hiddenBecause({ isPublic, isPaused, isBeyondPlan })?.title ?? "",
  };
}

export type CardsOfOwner = { cards: ListedCard[]; hasRoom: boolean };

export type ListedCard = {
  id: string;
  cardName: string;
  /** "Product designer · Example Studio", or "". */
  work: string;
  isPublic: boolean;
  /** Taken out of the public by its owner for a while. */
  isPaused: boolean;
  /** The plan has no room for it: kept, but shown to nobody but its owner. */
  isBeyondPlan: boolean;
  /** Why visitors can't open it, in few words; "": they can. */
  hidden: string;
};

/** Why visitors can't open a card, in few words and in more; undefined when they can. */
export function hiddenBecause(card: Pick<ListedCard, "isPublic" | "isPaused" | "isBeyondPlan">) {
  if (card.isPaused) return messages.previewPaused;
  if (!card.isPublic) return messages.previewPrivate;
  return card.isBeyondPlan ? messages.previewBeyondPlan : undefined;
}

/** "Copy of Studio", within the length of a name. */
export function copyName(cardName: string): string {
  return shortened(`Copy of ${cardName}`, maxLengths.card_name);
}

/** What the editor starts with: the profile's name and links. */
export function newCard(profile: {
  displayName: string;
  links: { id: string; label: string; url: string }[];
}): CardChange {
  return {
    cardName: `${profile.displayName || "My"} Business Card`,
    profession: "",
    company: "",
    position: "",
    email: "",
    phone: "",
    yearsExperience: null,
    links: profile.links.map(({ id, label, url }) => ({ id, name: label || "Link", url: withScheme(url) })),
    isPublic: true,
    more: noMore(),
  };
}

/** What a chat shows of a card's address: who it is, and what they do. */
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
  return { title, description: [work, about].filter(Boolean).join(" – ") || `Business card of ${title}` };
}
