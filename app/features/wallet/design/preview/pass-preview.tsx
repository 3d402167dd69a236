import { useId, useState, useEffect } from "react";

import { avatarUrls, fileUrl, logoVariants, passImageUrl } from "#app/features/uploads/image-urls.ts";
import { defaultImageUrl } from "#app/features/wallet/assets/default-image-model.ts";
import type { PassEditorData } from "#app/features/wallet/design/design-data.server.ts";
import { toPassDesign } from "#app/features/wallet/design/pass-form.ts";
import type { PassFormValues } from "#app/features/wallet/design/pass-form.ts";
import { passContent } from "#app/features/wallet/pass-content.ts";
import type { PassContent } from "#app/features/wallet/pass-content.ts";
import { defaultPassDesign } from "#app/features/wallet/pass-design.ts";
import type { HexColor } from "#app/services/base/color-contrast.ts";
import { useInlineStyle } from "#app/ui/components/inline-style.ts";
import { ChoiceField } from "#app/ui/forms/choice-field.tsx";

import { ApplePassBack, ApplePassFront } from "./apple-pass-preview.tsx";
import { GooglePassBack, GooglePassFront } from "./google-pass-preview.tsx";
import { previewedPass } from "./preview-content.ts";
import type { PreviewedImages } from "./preview-content.ts";
import { passCss } from "./preview-style.ts";

/** The pass as it will look in Apple Wallet and in Google Wallet, front and back. */
export function PassPreview({ pass, values }: { pass: PassEditorData; values: PassFormValues }) {
  const id = useId();
  const [wallet, setWallet] = useState<"apple" | "google">("apple");
  const [side, setSide] = useState<"front" | "back">("front");
  const content = draftContent(pass, values);
  const images = imagesOf(pass, content.images);
  const previewed = previewedPass(content, images);
  useInlineStyle(passCss(content, useSampledColors(images.background)));
  const views = {
    apple: { front: ApplePassFront, back: ApplePassBack },
    google: { front: GooglePassFront, back: GooglePassBack },
  };
  const View = views[wallet][side];
  return (
    <div className="grid gap-5">
      <div className="mx-auto grid w-full max-w-90 grid-cols-2 gap-3 max-[22rem]:grid-cols-1">
        <ChoiceField label="Wallet" name={`${id}-wallet`} options={walletOptions} value={wallet} onChoose={setWallet} />
        <ChoiceField label="Side" name={`${id}-side`} options={sideOptions} value={side} onChoose={setSide} />
      </div>
      <div
        role="img"
        aria-label={`${side === "front" ? "Front" : "Back"} of your pass in ${wallet === "apple" ? "Apple" : "Google"} Wallet`}
        className="mx-auto w-full max-w-80 pass-preview"
      >
        <div key={`${wallet} ${side}`} inert className="animate-rise motion-reduce:animate-none">
          <View pass={previewed} />
        </div>
      </div>
      {wallet === "apple" && side === "front" && previewed.background !== undefined && (
        <p className="mx-auto max-w-80 text-center text-sm text-muted">iPhone blurs the background image.</p>
      )}
    </div>
  );
}

const walletOptions = [
  { id: "apple", label: "Apple" },
  { id: "google", label: "Google" },
] as const;
const sideOptions = [
  { id: "front", label: "Front" },
  { id: "back", label: "Back" },
] as const;

/** The pass of the design that is being edited, with everything that the owner's plan includes. */
function draftContent({ source }: PassEditorData, values: PassFormValues): PassContent {
  return passContent({ ...source, design: toPassDesign(values) ?? defaultPassDesign });
}

function imagesOf({ source, qr }: PassEditorData, { logo, background }: PassContent["images"]): PreviewedImages {
  return {
    qr,
    avatar: avatarUrls(source.avatarKey)?.large,
    logo: logo.kind === "none" || logo.kind === "seal" ? { kind: logo.kind } : { kind: "image", url: logoUrl(logo) },
    background: backgroundUrl(background),
  };
}

function logoUrl({ kind, key }: { kind: "card" | "asset"; key: string }): string {
  return kind === "card" ? fileUrl(key, logoVariants.webp) : passImageUrl("logo", key);
}

function backgroundUrl(background: PassContent["images"]["background"]): string | undefined {
  if (background.kind === "default") return defaultImageUrl(background.id, "raw");
  return background.kind === "asset" ? passImageUrl("background", background.key) : undefined;
}

/** The colors of a few parts of an image of this site, as blurred as a wallet shows it; undefined until it has loaded. */
function useSampledColors(url: string | undefined): readonly HexColor[] | undefined {
  const [sampled, setSampled] = useState<{ url: string; colors: HexColor[] }>();
  // Only the browser can decode an upload.
  useEffect(() => {
    if (url === undefined) return undefined;
    const image = new Image();
    const read = () => setSampled({ url, colors: sampleColors(image) });
    image.addEventListener("load", read);
    image.src = url;
    return () => image.removeEventListener("load", read);
  }, [url]);
  return sampled?.url === url ? sampled?.colors : undefined;
}

function sampleColors(image: HTMLImageElement): HexColor[] {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [9, 11];
  const context = canvas.getContext("2d");
  if (!context) return [];
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  return Array.from({ length: data.length / 4 }, (_, index): HexColor => {
    const parts = [0, 1, 2].map((channel) => (data[index * 4 + channel] ?? 0).toString(16).padStart(2, "0"));
    return `#${parts.join("")}`;
  });
}
