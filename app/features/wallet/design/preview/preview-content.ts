import type { PassContent } from "#app/features/wallet/pass-content.ts";
import type { QrDrawing } from "#app/features/sharing/qr/qr-code.ts";

/** What a wallet shows, drawn with the pass's own content. */
export type PreviewedPass = {
  content: PassContent;
  qr: QrDrawing;
  avatar: string | undefined;
  /** The URL of the logo; undefined for our seal and without one. */
  logo: string | undefined;
  /** The URL of the background; undefined for the card's colors. */
  background: string | undefined;
};

/** What the back lists, in the order of the Apple pass. */
export function backRows({ links, bio, qr, issuer, hasBranding, email, phone }: PassContent) {
  const rows = [
    { label: "Email", text: email },
    { label: "Phone", text: phone },
    ...links.map(({ label, url }) => ({ label, text: url })),
    { label: "About", text: bio },
    { label: "Card", text: qr.message },
    { label: "Issued by", text: `${issuer.name}\n${issuer.url}` },
    { label: "", text: hasBranding ? "Made with Meishi" : "" },
  ];
  return rows.filter(({ text }) => text !== "");
}
