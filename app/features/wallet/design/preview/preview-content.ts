import { passJson } from "#app/features/wallet/apple/pass-json.ts";
import { genericObject } from "#app/features/wallet/google/pass-json.ts";
import type { PassContent } from "#app/features/wallet/pass-content.ts";
import type { QrDrawing } from "#app/features/drawing/qr-code.ts";

/** The images of a pass that a browser draws. */
export type PreviewedImages = {
  qr: QrDrawing;
  /** `seal`: our own. */
  logo: { kind: "none" | "seal" } | { kind: "image"; url: string };
  avatar: string | undefined;
  /** The URL of the background; undefined for the card's colors. */
  background: string | undefined;
};

/** What the wallets show: the pass.json and Google's object of the real pass, and its images. */
export type PreviewedPass = PreviewedImages & {
  apple: ReturnType<typeof passJson>;
  google: ReturnType<typeof genericObject>;
};

/** Ids and the token of an installation aren't shown. The colors of texts on a background image are in CSS. */
export function previewedPass(content: PassContent, images: PreviewedImages): PreviewedPass {
  const { text, label, background } = content.colors;
  const colors = { text, label, background: background[0] };
  return {
    ...images,
    apple: passJson(content, { passTypeId: "", teamId: "", authenticationToken: "", serviceUrl: undefined, colors }),
    // Without https Google loads no images, but such sites are for development.
    google: genericObject(content, { issuerId: "", imageBase: "", imageVersion: "" }),
  };
}
