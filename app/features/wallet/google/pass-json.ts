import { mailUrl } from "#app/features/cards/card-view-model.ts";
import { phoneUrl } from "#app/features/links/phone-url.ts";
import type { PassContent } from "#app/features/wallet/pass-content.ts";

/** `imageBase`: the address below which Google loads images, "https://…/c/h7k2m9x/google-wallet"; undefined without https. */
export type GooglePassOptions = { issuerId: string; imageBase: string | undefined; imageVersion: string };

/**
 * The class that all cards share. Google has no way to delete a class, so one with another template gets another id.
 * https://developers.google.com/wallet/reference/rest/v1/genericclass
 */
export function genericClass(issuerId: string) {
  const field = (id: string) => ({ firstValue: { fields: [{ fieldPath: `object.textModulesData['${id}']` }] } });
  return {
    id: `${issuerId}.meishi-card-1`,
    multipleDevicesAndHoldersAllowedStatus: "MULTIPLE_HOLDERS",
    classTemplateInfo: {
      cardTemplateOverride: {
        cardRowTemplateInfos: [{ twoItems: { startItem: field(startField), endItem: field(endField) } }],
      },
    },
  };
}

/** The text modules on the front, in one row. */
export const frontFields = ["email", "phone"] as const;
const [startField, endField] = frontFields;

/** The id of a card's object. Ids of cards have only letters, digits and hyphens, which Google allows. */
export function objectId(issuerId: string, cardId: string): string {
  return `${issuerId}.${cardId}`;
}

/**
 * The object of a card; null removes what an earlier one had. Names and values are those of Google's discovery document:
 * https://walletobjects.googleapis.com/$discovery/rest?version=v1 (GenericObject) and
 * https://developers.google.com/wallet/reference/rest/v1/genericobject
 */
export function genericObject(content: PassContent, options: GooglePassOptions) {
  const { cardId, heading, issuer, name, job, colors, isVoided } = content;
  const { issuerId } = options;
  return {
    id: objectId(issuerId, cardId),
    classId: genericClass(issuerId).id,
    genericType: "GENERIC_BUSINESS_CARD",
    state: isVoided ? "INACTIVE" : "ACTIVE",
    cardTitle: localized(heading || issuer.name),
    header: localized(name),
    subheader: job ? localized(job) : null,
    hexBackgroundColor: colors.background[0],
    barcode: barcodeOf(content),
    textModulesData: listOrNull(textModules(content)),
    linksModuleData: linksModule(content),
    ...imagesOf(content, options),
  };
}

function localized(value: string) {
  return { defaultValue: { language: "en", value } };
}

function barcodeOf({ qr }: PassContent) {
  if (!qr.message) return null;
  return { type: "QR_CODE", value: qr.message, ...(qr.label && { alternateText: qr.label }) };
}

type TextModule = { id: string; header?: string; body: string };

/** Google shows at most ten. */
function textModules({ email, phone, bio, issuer, hasBranding }: PassContent): TextModule[] {
  const modules = [
    { id: "email", header: "Email", body: email },
    { id: "phone", header: "Phone", body: phone },
    { id: "about", header: "About", body: bio },
    { id: "issuer", header: "Issued by", body: `${issuer.name}\n${issuer.url}` },
  ].filter(({ body }) => body !== "");
  return hasBranding ? [...modules, { id: "branding", body: "Made with Meishi" }] : modules;
}

/** Google shows at most ten, and accepts only these schemes: https://developers.google.com/wallet/reference/rest/v1/Uri */
const mostLinks = 10;
const linkPattern = /^(?:https?|mailto|tel|geo):\S+$/i;

function linksModule({ email, phone, links, qr }: PassContent) {
  const uris = [
    { id: "card", uri: qr.message, description: qr.message && "Card" },
    { id: "email", uri: mailUrl(email), description: email },
    { id: "phone", uri: phoneUrl(phone), description: phone },
    ...links.map(({ label, url }, index) => ({ id: `link-${index + 1}`, uri: url, description: label })),
  ];
  const shown = uris.filter(({ uri }) => linkPattern.test(uri)).slice(0, mostLinks);
  return shown.length > 0 ? { uris: shown } : null;
}

function listOrNull<Item>(items: Item[]): Item[] | null {
  return items.length > 0 ? items : null;
}

/** The version changes the address of an image, because Google keeps what it loaded from one. */
function imagesOf(content: PassContent, { imageBase, imageVersion }: GooglePassOptions) {
  const image = (file: string, description: string) => ({
    sourceUri: { uri: `${imageBase}/${file}?v=${imageVersion}` },
    contentDescription: localized(description),
  });
  const { isVoided, heading, issuer, name } = content;
  const hasImages = imageBase !== undefined && !isVoided;
  return {
    logo: hasImages && hasLogo(content) ? image("logo.png", heading || issuer.name) : null,
    heroImage: hasImages && hasHero(content) ? image("hero.jpg", name) : null,
  };
}

/** A banner in nothing but the card's color would look like a mistake. */
export function hasHero({ images }: Pick<PassContent, "images">): boolean {
  return images.background.kind !== "card";
}

/** Google shows it as a circle, so the avatar comes first. Without one it shows the first letter of the title. */
export function hasLogo({ images }: Pick<PassContent, "images">): boolean {
  return images.avatarKey !== null || images.logo.kind !== "none";
}
