import { data, redirect } from "react-router";
import type { RouterContextProvider } from "react-router";

import { findPlan } from "#app/features/billing/data.server.ts";
import type { Plan } from "#app/features/billing/rules.ts";
import { loadOwnProfile, profileShareSubject, signaturePhoto } from "#app/features/profile/own-profile.server.ts";
import { phoneUrl } from "#app/features/links/phone-url.ts";
import type { OfflineContact } from "#app/features/sharing/offline/offline-qr.ts";
import type { HiddenReason, OwnShare, ShareSubject } from "#app/features/sharing/share-subject.ts";
import type { Signature } from "#app/features/sharing/share-subject.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { fileUrl, logoVariants } from "#app/features/uploads/image-urls.ts";
import type { PremiumAccess } from "#app/services/config/setting-values.ts";
import { services } from "#app/services/http/context.ts";
import { textDirection } from "#app/ui/components/characters.ts";

import { cardPath } from "./address-rules.ts";
import { mailAccent } from "./card-style.ts";
import { listCards } from "./data.server.ts";
import type { Card } from "./schema.ts";
import { cardVisibleOn, fullName } from "./card-fields.ts";
import { mailUrl } from "./card-view-model.ts";
import { beyondPlanText } from "./limit-messages.ts";
import { idsBeyondPlan } from "./rules.ts";
import { structuredName } from "#app/features/cards/vcard/structured-name.ts";

/**
 * What `/share/card/{id}` shares, or without an id `/share/profile`, and why visitors can't open it; undefined for an unknown card and another
 * owner's.
 */
export async function findOwnShare(
  context: Readonly<RouterContextProvider>,
  id: string | undefined,
): Promise<OwnShare | undefined> {
  const profile = await loadOwnProfile(context);
  if (id === undefined) return { subject: profileShareSubject(profile, services(context).config.baseUrl) };
  return (await listCardShares(context, profile)).find((card) => card.id === id);
}

/**
 * The same for a page below Share, at `/share/profile/…` or `/share/card/{id}/…`. What can't be shared leads to Share, which says why. Throws a
 * 404 at any other address.
 */
export async function loadOwnShare(
  context: Readonly<RouterContextProvider>,
  { kind, id }: { kind: string; id?: string },
): Promise<ShareSubject> {
  if (kind !== (id === undefined ? "profile" : "card")) throw data(null, { status: 404 });
  const own = await findOwnShare(context, id);
  if (own && "subject" in own) return own.subject;
  throw redirect(`/share/card/${encodeURIComponent(id ?? "")}`);
}

/** The email signature of a subject, with the logo at its size. */
export async function loadSignature(
  context: Readonly<RouterContextProvider>,
  { signature, logoKey }: ShareSubject,
): Promise<Signature> {
  const { files, config } = services(context);
  const png = logoKey && (await files.read(logoKey + logoVariants.png));
  if (!png) return signature;
  const src = config.baseUrl + fileUrl(logoKey, logoVariants.png);
  return { ...signature, logo: { src, alt: "Logo", ...fitLogo(png) } };
}

/** The size of a logo in CSS pixels, at most 160 by 48, from the header of its file (PNG §11.2.1). */
function fitLogo(png: Uint8Array): { width: number; height: number } {
  const header = new DataView(png.buffer, png.byteOffset);
  const [width, height] = [header.getUint32(16), header.getUint32(20)];
  const scale = Math.min(1, 160 / width, 48 / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * What the share page shows of each of the owner's cards, or why visitors can't open it, in the owner's order. `owner` is their
 * profile.
 */
export async function listCardShares(
  context: Readonly<RouterContextProvider>,
  owner: { ownerId: string; displayName: string; avatarKey: string | null },
): Promise<(OwnShare & { id: string })[]> {
  const all = services(context);
  const { db, config } = all;
  const [cards, plan] = await Promise.all([listCards(db, owner.ownerId), findPlan(all, owner.ownerId)]);
  const beyond = idsBeyondPlan(plan, cards);
  return cards.map((card) => {
    const hidden = hiddenShare(card, beyond.has(card.id) ? beyondPlanMessage(plan, config.premium) : undefined);
    if (hidden) return { id: card.id, label: card.cardName, hidden };
    return { id: card.id, subject: toShareSubject(card, { ...owner, plan, baseUrl: config.baseUrl }) };
  });
}

type ShareOwner = { displayName: string; avatarKey: string | null; plan: Plan; baseUrl: string };

function toShareSubject(fullCard: Card, { displayName, avatarKey, plan, baseUrl }: ShareOwner): ShareSubject {
  const card = cardVisibleOn("page", fullCard);
  const path = cardPath(card);
  const url = `${baseUrl}${path}`;
  const shownName = displayName.trim() || "Professional";
  const name = fullName(shownName, card);
  const role = formatRole(card);
  return {
    kind: "card",
    label: card.cardName,
    name,
    shareText: `${name} – business card`,
    work: [card.position || card.profession, card.company].filter(Boolean).join(", "),
    url,
    path,
    sharePath: `/share/card/${card.id}`,
    editPath: `/cards/edit/${card.id}`,
    hasAvatar: avatarKey !== null,
    logoKey: fullCard.logoKey,
    contact: toOfflineContact(cardVisibleOn("file", fullCard), { displayName: shownName, url }),
    signature: {
      name,
      work: [role, [card.department, card.company].filter(Boolean).join(", ")],
      rows: signatureRows(card),
      url: markedUrl(url, "signature"),
      linkText: "View my business card",
      code: { src: `${url}/signature.png`, alt: "QR code for my business card", width: 96, height: 96 },
      photo: signaturePhoto(avatarKey, { name, baseUrl }),
      accent: mailAccent(fullCard.design, plan),
      isRightToLeft: textDirection(name) === "rtl",
    },
  };
}

/** The part of a card that fits into a QR code, as in its contact file: the first phone number and the first email address. */
function toOfflineContact(card: Card, { displayName, url }: { displayName: string; url: string }): OfflineContact {
  const { prefix, suffix, phones, emails } = card;
  return {
    name: fullName(displayName, { prefix, suffix }),
    parts: structuredName(displayName, { prefix, suffix }),
    phone: card.phone || (phones[0]?.value ?? ""),
    email: card.email || (emails[0]?.value ?? ""),
    company: card.company,
    title: formatRole(card),
    url: markedUrl(url, "qr"),
  };
}

function formatRole({ profession, position }: Card): string {
  return [...new Set([profession, position])].filter(Boolean).join(" · ");
}

/** The contact rows of an email signature: phone numbers, email addresses and the website. */
function signatureRows({ website, ...card }: Card) {
  const phones = [card.phone, ...card.phones.map(({ value }) => value)].filter(Boolean);
  const emails = [card.email, ...card.emails.map(({ value }) => value)].filter(Boolean);
  return [
    ...phones.map((text) => ({ text, href: phoneUrl(text) })),
    ...emails.map((text) => ({ text, href: mailUrl(text) })),
    ...(website ? [{ text: website.replace(/^https?:\/\/|\/$/g, ""), href: website }] : []),
  ];
}

/** `beyondPlan`: why the plan doesn't show the card; undefined if it does. */
function hiddenShare(card: Card, beyondPlan: HiddenReason | undefined): HiddenReason | undefined {
  if (!card.isPublic) return notPublicMessage(card);
  if (card.isPaused) return pausedMessage;
  return beyondPlan;
}

const notPublicMessage = ({ id }: Card): HiddenReason => ({
  title: "Visitors can’t open this card",
  text: "It isn’t public. Make it public and save it, then share it here.",
  action: { label: "Edit card", href: `/cards/edit/${id}` },
});

const pausedMessage: HiddenReason = {
  title: "Visitors can’t open this card",
  text: "You paused it. Unpause it in your list of cards to share it here. Printed QR codes will then work again.",
  action: { label: "Go to your cards", href: "/profile" },
};

const beyondPlanMessage = (plan: Plan, premium: PremiumAccess): HiddenReason => ({
  title: "Visitors can’t open this card",
  text: beyondPlanText(plan),
  action:
    premium === "sold" ? { label: "See plans", href: "/pricing" } : { label: "Go to your cards", href: "/profile" },
});
