import { findDefaultImage } from "#app/features/wallet/assets/default-image-model.ts";
import type { PassContent } from "#app/features/wallet/pass-content.ts";
import { backgroundStyle, tintOpacity } from "#app/features/wallet/pass-style.ts";
import { isDark } from "#app/services/base/color-contrast.ts";
import type { HexColor } from "#app/services/base/color-contrast.ts";

/** The colors of texts on an Apple pass, and its background from top to bottom with the layer that makes them readable. */
export function applePassColors(
  { colors, images: { background, tint } }: Pick<PassContent, "colors" | "images">,
  sampled: readonly HexColor[] | undefined,
) {
  const image = background.kind === "default" ? (sampled ?? findDefaultImage(background.id)?.colors) : sampled;
  const [from = colors.background[0], to = from] = image ?? colors.background;
  if (!image) return { ...colors, from, to, veil: undefined };
  const style = backgroundStyle(tint === "" ? image : image.map((color) => underTint(color, tint)));
  return { ...style, from, to };
}

/** The colors of both previews, as properties of a rule: style attributes are blocked by the content security policy. */
export function passCss(content: PassContent, sampled: readonly HexColor[] | undefined): string {
  const { colors, images } = content;
  const { from, to, text, label, veil } = applePassColors(content, sampled);
  const [ground] = colors.background;
  const alpha = Math.round((veil?.opacity ?? 0) * 255)
    .toString(16)
    .padStart(2, "0");
  const properties = {
    "--pass-from": from,
    "--pass-to": to,
    "--pass-text": text,
    "--pass-label": label,
    "--pass-veil": `${veil?.color ?? "#000000"}${alpha}`,
    "--pass-tint": (images.background.kind !== "card" && images.tint) || "transparent",
    "--google-ground": ground,
    "--google-text": isDark(ground) ? "#ffffff" : "#000000",
  };
  const rules = Object.entries(properties).map(([name, value]) => `${name}:${value}`);
  return `.pass-preview{${rules.join(";")}}`;
}

/** A color with a share of the tint over it. */
function underTint(color: HexColor, tint: HexColor): HexColor {
  const parts = [1, 3, 5].map((at) => {
    const [below, above] = [color, tint].map((one) => Number.parseInt(one.slice(at, at + 2), 16));
    const mixed = (below ?? 0) * (1 - tintOpacity) + (above ?? 0) * tintOpacity;
    return Math.round(mixed).toString(16).padStart(2, "0");
  });
  return `#${parts.join("")}`;
}
