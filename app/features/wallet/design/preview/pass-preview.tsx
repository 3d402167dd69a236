import { useId, useState } from "react";

import { findDefaultImage, defaultImageUrl } from "#app/features/wallet/assets/default-image-model.ts";
import { passContent } from "#app/features/wallet/pass-content.ts";
import type { PassContent } from "#app/features/wallet/pass-content.ts";
import type { PassEditorData } from "#app/features/wallet/design/design-data.server.ts";
import { defaultPassDesign } from "#app/features/wallet/pass-design.ts";
import { backgroundStyle, tintOpacity } from "#app/features/wallet/pass-style.ts";
import { avatarUrls, fileUrl, logoVariants, passImageUrl } from "#app/features/uploads/image-urls.ts";
import type { HexColor } from "#app/services/base/color-contrast.ts";
import { useInlineStyle } from "#app/ui/components/inline-style.ts";
import { ChoiceField } from "#app/ui/forms/choice-field.tsx";

import { ApplePassBack, ApplePassFront } from "./apple-pass-preview.tsx";
import { useSampledColors } from "./sampled-style.ts";
import type { PreviewedPass } from "./preview-content.ts";
import { GooglePassBack, GooglePassFront } from "./google-pass-preview.tsx";
import { toPassDesign } from "#app/features/wallet/design/pass-form.ts";
import type { PassFormValues } from "#app/features/wallet/design/pass-form.ts";

/** The pass as it will look in Apple Wallet and in Google Wallet, front and back. */
export function PassPreview({ pass, values }: { pass: PassEditorData; values: PassFormValues }) {
  const id = useId();
  const [wallet, setWallet] = useState<"apple" | "google">("apple");
  const [side, setSide] = useState<"front" | "back">("front");
  const previewed = previewPass(pass, values);
  const { background } = previewed.content.images;
  const sampled = useSampledColors(background.kind === "asset" ? previewed.background : undefined);
  useInlineStyle(passCss(previewed.content, sampled));
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

function previewPass({ source, qr }: PassEditorData, values: PassFormValues): PreviewedPass {
  const plan = { ...source.plan, hasOwnPassImages: true };
  const content = passContent({ ...source, plan, design: toPassDesign(values) ?? defaultPassDesign });
  const { logo, background } = content.images;
  return {
    content,
    qr,
    avatar: avatarUrls(source.avatarKey)?.large,
    logo:
      logo.kind === "card"
        ? fileUrl(logo.key, logoVariants.webp)
        : logo.kind === "asset"
          ? passImageUrl("logo", logo.key)
          : undefined,
    background: backgroundUrl(background),
  };
}

function backgroundUrl(background: PassContent["images"]["background"]): string | undefined {
  if (background.kind === "default") return defaultImageUrl(background.id, "raw");
  return background.kind === "asset" ? passImageUrl("background", background.key) : undefined;
}

/** The colors of the pass, as properties of a rule: style attributes are blocked by the content security policy. */
function passCss({ colors, images }: PassContent, sampled: readonly HexColor[] | undefined): string {
  const { background, tint } = images;
  const image = background.kind === "default" ? findDefaultImage(background.id)?.colors : sampled;
  const style = image && imageStyle(image, tint);
  const shown = style ?? colors;
  const alpha = Math.round((style?.veil.opacity ?? 0) * 255);
  const veil = `${style?.veil.color ?? "#000000"}${alpha.toString(16).padStart(2, "0")}`;
  const [from = colors.background[0], to = from] = image ?? colors.background;
  return (
    `.pass-preview{--pass-from:${from};--pass-to:${to};--pass-text:${shown.text};--pass-label:${shown.label};--pass-veil:${veil};` +
    `--pass-tint:${(image && tint) || "transparent"}}`
  );
}

/** The colors of texts on an image under a tint, and the veil that makes them readable, as on the real pass. */
function imageStyle(image: readonly HexColor[], tint: HexColor | "") {
  return backgroundStyle(tint === "" ? image : image.map((color) => underTint(color, tint)));
}

function underTint(color: HexColor, tint: HexColor): HexColor {
  const parts = [1, 3, 5].map((at) => {
    const [below, above] = [color, tint].map((one) => Number.parseInt(one.slice(at, at + 2), 16));
    const mixed = (below ?? 0) * (1 - tintOpacity) + (above ?? 0) * tintOpacity;
    return Math.round(mixed).toString(16).padStart(2, "0");
  });
  return `#${parts.join("")}`;
}
