import type { PassColors, PassContent } from "#app/features/wallet/pass-content.ts";
import type { HexColor } from "#app/services/base/color-contrast.ts";

import type { PassLabel } from "./pass-labels.ts";

export type PassJsonOptions = {
  passTypeId: string;
  teamId: string;
  authenticationToken: string;
  /** Where devices ask for updates; undefined: the pass never changes. */
  serviceUrl: string | undefined;
  /** The colors of texts on the background as it was drawn. */
  colors: Pick<PassColors, "text" | "label"> & { background: HexColor };
  /** A pass of no card: it is marked as a demo, can't be passed on, and ends (epoch milliseconds). */
  demo?: { expiresAt: number } | undefined;
};

/**
 * The pass.json of an event ticket, the only style with a background of 180 by 220 points and a logo of 160 by 50.
 * https://developer.apple.com/documentation/walletpasses/pass
 */
export function passJson(content: PassContent, options: PassJsonOptions) {
  const { cardId, issuer, isVoided, name } = content;
  const { passTypeId, teamId, authenticationToken, serviceUrl, colors, demo } = options;
  return {
    formatVersion: 1,
    passTypeIdentifier: passTypeId,
    teamIdentifier: teamId,
    serialNumber: cardId,
    organizationName: issuer.name,
    description: describe(content, demo !== undefined),
    ...headingOf(content),
    foregroundColor: rgb(colors.text),
    labelColor: rgb(colors.label),
    backgroundColor: rgb(colors.background),
    sharingProhibited: demo !== undefined,
    ...(demo && { expirationDate: new Date(demo.expiresAt).toISOString().replace(/\.\d+Z$/, "Z") }),
    ...(isVoided && { voided: true }),
    ...(serviceUrl !== undefined && { webServiceURL: serviceUrl, authenticationToken }),
    ...barcodesOf(content),
    eventTicket: {
      ...(demo && { headerFields: fieldsOf([{ key: "demo", label: "Demo", value: "Not verified" }]) }),
      primaryFields: [{ key: "name", value: name, changeMessage: "Name: %@" satisfies PassLabel }],
      secondaryFields: fieldsOf([{ key: "job", label: "Work", value: content.job, changeMessage: "Work: %@" }]),
      auxiliaryFields: fieldsOf([
        { key: "email", label: "Email", value: content.email, changeMessage: "Email: %@" },
        { key: "phone", label: "Phone", value: content.phone, changeMessage: "Phone: %@" },
      ]),
      backFields: backFields(content),
    },
  };
}

/** What VoiceOver reads first. */
function describe({ isVoided, name }: PassContent, isDemo: boolean): string {
  if (isDemo) return `Demo of a business card: ${name}`;
  return isVoided ? name : `Business card of ${name}`;
}

/** What a pass is made of, without the values of an installation with a certificate. */
export function passDefinition(content: PassContent) {
  const { text, label, background } = content.colors;
  return passJson(content, {
    passTypeId: "pass.com.example.card",
    teamId: "YOURTEAMID",
    authenticationToken: "",
    serviceUrl: undefined,
    colors: { text, label, background: background[0] },
  });
}

type Field = { key: string; label: PassLabel; value: string; changeMessage?: PassLabel };

/** The company beside our seal or no logo; a company's own logo says it. */
function headingOf({ heading, images }: PassContent) {
  const isNamedByLogo = images.logo.kind === "card" || images.logo.kind === "asset";
  return heading && !isNamedByLogo ? { logoText: heading } : {};
}

/** `barcode` is for iOS 8 and for PassAndroid, which knows no other. The message is a URL, so it has only ASCII characters. */
function barcodesOf({ qr }: PassContent) {
  if (!qr.message) return {};
  const barcode = {
    format: "PKBarcodeFormatQR",
    message: qr.message,
    messageEncoding: "iso-8859-1",
    ...(qr.label && { altText: qr.label }),
  };
  return { barcodes: [barcode], barcode };
}

/** Fields without a value are left out: their labels would stand alone. */
function fieldsOf(fields: readonly Field[]): Field[] {
  return fields.filter(({ value }) => value !== "");
}

/** Labels of links are the owner's. */
type BackField = Omit<Field, "label"> & { label?: string };

/** iOS makes links of addresses by itself. Nothing here is HTML, which other programs would show as it is. */
function backFields({ links, bio, qr, isVoided, issuer, hasBranding, ...content }: PassContent): BackField[] {
  return [
    ...fieldsOf([
      { key: "back-email", label: "Email", value: content.email },
      { key: "back-phone", label: "Phone", value: content.phone },
    ]),
    ...links.map(({ label, url }, index) => ({ key: `link-${index + 1}`, label, value: url })),
    ...fieldsOf([
      { key: "about", label: "About", value: bio },
      { key: "card", label: "Card", value: isVoided ? "" : qr.message },
      { key: "issuer", label: "Issued by", value: `${issuer.name}\n${issuer.url}` },
    ]),
    ...(hasBranding ? [{ key: "branding", value: "Made with Meishi" }] : []),
  ];
}

/** "#1f2937" -> "rgb(31, 41, 55)". */
function rgb(color: HexColor): string {
  return `rgb(${[1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)).join(", ")})`;
}
