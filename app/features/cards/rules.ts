import type { Plan } from "#app/features/billing/rules.ts";
import { withScheme } from "#app/features/links/rules.ts";

import type { Card, CardChange } from "./data.server.ts";
import { messages } from "./messages.ts";

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

/** After a downgrade the oldest card stays public; the others are kept, and shown to nobody but their owner. */
export function isPaused(plan: Plan, card: { isOldest: boolean }): boolean {
  return Number.isFinite(plan.maxCards) && !card.isOldest;
}

/** The owner's cards as their list shows them, newest first like `cards`, and whether the plan has room for one more. */
export function listedCards(plan: Plan, cards: readonly Card[]): CardsOfOwner {
  const oldest = cards.at(-1);
  return {
    cards: cards.map((card) => ({
      id: card.id,
      cardName: card.cardName,
      work: [card.profession, card.company].filter(Boolean).join(" · "),
      isPublic: card.isPublic,
      isPaused: isPaused(plan, { isOldest: card === oldest }),
    })),
    hasRoom: refuseNewCard(plan, cards.length) === undefined,
  };
}

export type CardsOfOwner = { cards: ListedCard[]; hasRoom: boolean };

export type ListedCard = {
  id: string;
  cardName: string;
  /** "Product designer · Example Studio", or "". */
  work: string;
  isPublic: boolean;
  /** The plan has no room for it: kept, but shown to nobody but its owner. */
  isPaused: boolean;
};

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
