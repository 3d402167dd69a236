import { avatarUrls, fileUrl, logoVariants } from "#app/features/uploads/image-urls.ts";
import { mapFields } from "#app/services/base/form-fields.ts";
import type { PortraitImage } from "#app/ui/components/portrait.tsx";

import { textDirection } from "#app/ui/components/characters.ts";

import { cardVisibleOn, formatAddress, optionalTextNames } from "./card-fields.ts";
import type { ContactMethod, OptionalTextName } from "./card-fields.ts";
import type { CardLayout } from "./card-design.ts";
import type { CardInput } from "./schema.ts";

/** How a card and its page are drawn. Themes are values of `data-theme` in themes.css; the page also has the class "accent". */
export type CardStyle = {
  theme: string;
  /** The card's own; undefined: as the page. */
  paper: "default" | "ink" | undefined;
  layout: CardLayout;
  /** The rules for the layout and the accent, which the common stylesheet doesn't have; "" for a classic card without an accent. */
  css: string;
};

/** Of a classic card in the default theme. Not in card-style.ts, whose rules the browser needs for the editor alone. */
export const plainStyle: CardStyle = { theme: "default", paper: "default", layout: "classic", css: "" };

/** The texts of a card: some are printed on the card itself, the others are listed below it. Empty fields are null. */
export type BusinessCardData = Partial<Record<OptionalTextName, string | null>> & {
  displayName: string;
  profession: string | null;
  company: string | null;
  position: string | null;
  yearsExperience: number | null;
  email: string | null;
  phone: string | null;
  /** The URL of the company's logo. */
  logo?: string | null;
  /** The owner's avatar. */
  avatar?: PortraitImage | undefined;
  /** By default that of a card whose owner chose nothing. */
  style?: CardStyle | undefined;
};

/** Everything that the page of a card shows about its owner. */
export type CardViewModel = BusinessCardData & {
  /** In addition to `email` and `phone`, which are those of work. */
  emails?: readonly ContactMethod[];
  phones?: readonly ContactMethod[];
  /** The lines of the postal address; none without an address. */
  address?: readonly string[];
  links: readonly { id: string; name: string; url: string }[];
};

export type PublicCardViewModel = CardViewModel & {
  id: string;
  bio: string | null;
  /** The URL of the profile, full or as a path. */
  profileUrl: string;
  /** The full public address of the card, without a source mark. */
  cardUrl: string;
  /** Its path: the base of its contact file and QR codes. */
  path: string;
  hasBranding: boolean;
  /** A sample: no real person's card. */
  isSample?: boolean;
  /** Whether visitors can share their contact. */
  hasLeadForm?: boolean;
};

/** A card as its page shows it: without the fields that only the contact file holds. */
export function toCardViewModel(card: CardInput, { displayName, logoKey, avatarKey, style }: CardOwner): CardViewModel {
  const visible = cardVisibleOn("page", card);
  const texts = ["profession", "company", "position", "email", "phone", ...optionalTextNames] as const;
  return {
    displayName,
    style,
    avatar: avatarUrls(avatarKey),
    logo: logoKey && fileUrl(logoKey, logoVariants.webp),
    ...mapFields(texts, (name) => visible[name] || null),
    yearsExperience: visible.yearsExperience,
    emails: visible.emails,
    phones: visible.phones,
    address: formatAddress(visible.address),
    links: visible.links,
  };
}

type CardOwner = {
  displayName: string;
  logoKey: string | null;
  avatarKey: string | null;
  style?: CardStyle | undefined;
};

/**
 * The one direction of a card and its page: of the name, or of the next text if the name has no letters. Texts in other scripts keep their own
 * order inside a line, but not their own side.
 */
export function cardDirection(card: BusinessCardData & { bio?: string | null }): "rtl" | undefined {
  const { displayName, company, position, profession, bio } = card;
  return textDirection([displayName, company, position, profession, bio].join(" "));
}

/** "Product designer · 8 years"; "8 years of experience" without a profession. */
export function formatJob(card: { profession: string | null; yearsExperience: number | null }): string {
  const { profession, yearsExperience: years } = card;
  if (years === null) return profession ?? "";
  const time = years === 1 ? "1 year" : `${years} years`;
  return profession ? `${profession} · ${time}` : `${time} of experience`;
}

export function mailUrl(email: string): string {
  return `mailto:${encodeURIComponent(email.toWellFormed()).replace("%40", "@")}`;
}
