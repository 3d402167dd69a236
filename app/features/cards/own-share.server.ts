import type { RouterContextProvider } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import type { OfflineContact } from "#app/features/sharing/offline-qr.ts";
import type { Hidden, OwnShare, ShareSubject } from "#app/features/sharing/share-subject.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { services } from "#app/services/context.ts";
import { directionOf } from "#app/ui/direction.ts";

import { listCards } from "./data.server.ts";
import type { Card } from "./data.server.ts";
import { cardIn, fullName } from "./more-fields.ts";
import { phoneAddress } from "./phone-address.ts";
import { isBeyondPlan, oldestOf } from "./rules.ts";
import { structuredName } from "./structured-name.ts";

/**
 * Each own card with all that handing it over takes, or with why visitors can't open it; in the owner's order. `owner` is their profile.
 */
export async function listCardShares(
  context: Readonly<RouterContextProvider>,
  owner: { userId: string; displayName: string; avatarStem: string | null },
): Promise<(OwnShare & { id: string })[]> {
  const { db, clock, config } = services(context);
  const [cards, plan] = await Promise.all([listCards(db, owner.userId), findPlan(db, owner.userId, clock())]);
  const oldest = oldestOf(cards);
  return cards.map((card) => {
    const hidden = hiddenBy(card, isBeyondPlan(plan, { isOldest: card === oldest }));
    if (hidden) return { id: card.id, label: card.cardName, hidden };
    return { id: card.id, subject: subjectOf(card, { ...owner, baseUrl: config.baseUrl }) };
  });
}

type Owner = { displayName: string; avatarStem: string | null; baseUrl: string };

function subjectOf(whole: Card, { displayName, avatarStem, baseUrl }: Owner): ShareSubject {
  const card = cardIn("page", whole);
  const path = `/card/${card.id}`;
  const url = `${baseUrl}${path}`;
  const shownName = displayName.trim() || "Professional";
  const name = fullName(shownName, card.more);
  const role = roleOf(card);
  return {
    kind: "card",
    label: card.cardName,
    name,
    work: [card.position || card.profession, card.company].filter(Boolean).join(", "),
    url,
    path,
    sharePath: `/share${path}`,
    editPath: `/cards/edit/${card.id}`,
    hasPicture: avatarStem !== null,
    contact: contactOf(cardIn("file", whole), { displayName: shownName, url }),
    signature: {
      name,
      work: [role, [card.more.department, card.company].filter(Boolean).join(", ")],
      rows: reachOf(card),
      url: markedUrl(url, "signature"),
      linkText: "View my business card",
      picture: { src: `${url}/signature.png`, alt: "QR code of my business card", width: 96, height: 96 },
      isRightToLeft: directionOf(name) === "rtl",
    },
  };
}

/** What a code can hold of a card, as its contact file says it: the first phone and the first e-mail. */
function contactOf(card: Card, { displayName, url }: { displayName: string; url: string }): OfflineContact {
  const { prefix, suffix, phones, emails } = card.more;
  const [family, given, additional, , titles] = structuredName(displayName);
  return {
    name: fullName(displayName, { prefix, suffix }),
    parts: [family, given, additional, prefix, [titles, suffix].filter(Boolean).join(", ")],
    phone: card.phone || (phones[0]?.value ?? ""),
    email: card.email || (emails[0]?.value ?? ""),
    company: card.company,
    title: roleOf(card),
    url: markedUrl(url, "qr"),
  };
}

function roleOf({ profession, position }: Card): string {
  return [...new Set([profession, position])].filter(Boolean).join(" · ");
}

/** What a mail is answered with: numbers, addresses, the own site. */
function reachOf({ phone, email, more }: Card) {
  const phones = [phone, ...more.phones.map(({ value }) => value)].filter(Boolean);
  const emails = [email, ...more.emails.map(({ value }) => value)].filter(Boolean);
  return [
    ...phones.map((text) => ({ text, href: phoneAddress(text) })),
    ...emails.map((text) => ({ text, href: `mailto:${encodeURIComponent(text.toWellFormed()).replace("%40", "@")}` })),
    ...(more.website ? [{ text: more.website.replace(/^https?:\/\/|\/$/g, ""), href: more.website }] : []),
  ];
}

function hiddenBy(card: Card, isBeyond: boolean): Hidden | undefined {
  if (!card.isPublic) return notPublic(card);
  if (card.isPaused) return pausedByOwner;
  return isBeyond ? beyondThePlan : undefined;
}

const notPublic = ({ id }: Card): Hidden => ({
  title: "Visitors can't open this card",
  text: "It is not public. Make it public and save it: then it can be handed over here.",
  action: { label: "Edit card", href: `/cards/edit/${id}` },
});

const pausedByOwner: Hidden = {
  title: "Visitors can't open this card",
  text: "You paused it. Take it back in your list of cards: then it can be handed over here, and codes printed before work again.",
  action: { label: "Go to your cards", href: "/profile" },
};

const beyondThePlan: Hidden = {
  title: "Visitors can't open this card",
  text: "Free shows your oldest card. This one is kept, and shown again with Premium.",
  action: { label: "See plans", href: "/pricing" },
};
