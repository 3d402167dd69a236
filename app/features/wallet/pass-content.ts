import type { Plan } from "#app/features/billing/rules.ts";
import { fullName } from "#app/features/cards/card-fields.ts";
import type { PublicCardViewModel } from "#app/features/cards/card-view-model.ts";
import { dialedUrl } from "#app/features/links/phone-url.ts";
import type { BusinessCardColors } from "#app/features/drawing/business-card-style.ts";
import { markedUrl } from "#app/features/sharing/source-marks.ts";
import { readableOn } from "#app/services/base/color-contrast.ts";
import type { HexColor } from "#app/services/base/color-contrast.ts";

import { includedDesign } from "./pass-design.ts";
import type { PassDesign } from "./pass-design.ts";

/** What the pass of a card shows, whatever wallet it is in. Texts that are not shown are "". */
export type PassContent = {
  /** The card's id, which is the serial number. */
  cardId: string;
  /** The card's public address, without a source mark. */
  cardUrl: string;
  /** `message` is in the QR code, `label` below it. */
  qr: { message: string; label: string };
  /** At the top, beside the logo. */
  heading: string;
  name: string;
  /** "Product designer · Example Studio". */
  job: string;
  email: string;
  phone: string;
  /** On the back. */
  links: readonly { label: string; url: string }[];
  bio: string;
  /** The installation that issued the pass. */
  issuer: PassIssuer;
  /** "Made with Meishi". */
  hasBranding: boolean;
  colors: PassColors;
  images: PassImages;
  /** The card can't be opened any more. Its pass then holds nothing but the name of the issuer. */
  isVoided: boolean;
};

export type PassIssuer = { name: string; url: string };

/** Both text colors are readable on the two background colors (WCAG AA), which are the stops of a gradient. */
export type PassColors = { background: readonly [HexColor, HexColor]; text: HexColor; label: HexColor };

/** Storage key prefixes of uploaded images, and the choices that images are drawn from. */
export type PassImages = {
  avatarKey: string | null;
  background: PassDesign["background"];
  tint: PassDesign["tint"];
  /** `seal`: our own. `card` has the variants of a card's logo, `asset` those of a pass logo. */
  logo: { kind: "none" } | { kind: "seal" } | { kind: "card" | "asset"; key: string };
};

export type PassSource = {
  card: Omit<PublicCardViewModel, "path" | "style" | "logo" | "avatar" | "hasBranding">;
  logoKey: string | null;
  avatarKey: string | null;
  /** Those of the card in images. */
  colors: BusinessCardColors;
  design: PassDesign;
  plan: Pick<Plan, "hasBranding" | "hasOwnPassImages">;
  issuer: PassIssuer;
};

/** What the pass of a public card shows. */
export function passContent({ card, logoKey, avatarKey, ...source }: PassSource): PassContent {
  const { plan, issuer } = source;
  const design = includedDesign(plan, source.design);
  return {
    cardId: card.id,
    cardUrl: card.cardUrl,
    qr: {
      message: markedUrl(card.cardUrl, "wallet"),
      label: design.hasQrLabel ? withoutScheme(card.cardUrl) : "",
    },
    heading: card.company ?? "",
    name: fullName(card.displayName.trim() || "Professional", card),
    job: [card.profession ?? card.position, card.company].filter(Boolean).join(" · "),
    email: design.showsEmail ? (card.email ?? card.emails?.[0]?.value ?? "") : "",
    phone: design.showsPhone ? (card.phone ?? card.phones?.[0]?.value ?? "") : "",
    links: ordered(card.links, design.linkOrder).map(({ name, url }) => ({
      label: name || withoutScheme(url),
      url: dialedUrl(url) ?? url,
    })),
    bio: card.bio ?? "",
    issuer,
    hasBranding: plan.hasBranding,
    colors: passColors(source.colors),
    images: {
      avatarKey,
      background: design.background,
      tint: design.tint,
      logo: passLogo(design.logo, { logoKey, hasBranding: plan.hasBranding }),
    },
    isVoided: false,
  };
}

/** The pass of a card that was deleted, or that visitors can't open: it shows nothing of its owner. */
export function voidedContent({ cardId, cardUrl, issuer }: Pick<PassContent, "cardId" | "cardUrl" | "issuer">) {
  return {
    cardId,
    cardUrl,
    qr: { message: "", label: "" },
    heading: "",
    name: "This card isn’t available",
    job: "",
    email: "",
    phone: "",
    links: [],
    bio: "",
    issuer,
    hasBranding: true,
    colors: { background: ["#17181b", "#17181b"], text: "#fbf9f4", label: "#b8b3a6" },
    images: { avatarKey: null, background: { kind: "card" }, tint: "", logo: { kind: "seal" } },
    isVoided: true,
  } satisfies PassContent;
}

/** The card's own colors, with texts that are readable on them. */
function passColors({ paper, text, muted }: BusinessCardColors): PassColors {
  const background = [hex(paper[0]), hex(paper[1])] as const;
  return { background, text: readableOn(background, hex(text)), label: readableOn(background, hex(muted)) };
}

/** The colors of cards are written with six digits. */
const hex = (color: string): HexColor => `#${color.replace(/^#/, "")}`;

function passLogo(
  chosen: PassDesign["logo"],
  { logoKey, hasBranding }: { logoKey: string | null; hasBranding: boolean },
): PassImages["logo"] {
  if (chosen.kind === "asset") return chosen;
  if (chosen.kind === "none") return chosen;
  if (logoKey !== null) return { kind: "card", key: logoKey };
  return { kind: hasBranding ? "seal" : "none" };
}

function ordered<Link extends { id: string }>(links: readonly Link[], order: readonly string[]): Link[] {
  const named = order.flatMap((id) => links.find((link) => link.id === id) ?? []);
  return [...named, ...links.filter((link) => !named.includes(link))];
}

/** "https://meishi.example/c/h7k2m9x" -> "meishi.example/c/h7k2m9x". */
function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, "");
}

/** A part of a pass that is drawn on its own: the icon and the logo, the avatar, the background. */
export const passParts = ["logo", "thumbnail", "background"] as const;
export type PassPart = (typeof passParts)[number];

/** What the parts of a pass are drawn from. */
export type PartContent = Pick<PassContent, "images" | "colors">;

/** Everything that a part shows, as plain data: passes with the same can share it. */
export function describePart(part: PassPart, { images, colors }: PartContent): unknown {
  if (part === "thumbnail") return images.avatarKey;
  if (part === "logo") return images.logo;
  const { background, tint } = images;
  return [background, tint, background.kind === "default" ? "" : colors];
}
