import { createAvatar } from "@dicebear/core";
import * as personas from "@dicebear/personas";

import { isPartOf } from "./rules.ts";
import type { AvatarOptions, PaletteKind, PartKind, PartName } from "./rules.ts";

export type AvatarDrawing = {
  /** Contains its attribution (title, creator, source, license). */
  svg: string;
  /**
   * The parts that the seed chose: `body`, `eyes`, `hair`, `mouth`, `nose`, `facialHair` (missing parts are left out), `hairColor`,
   * `clothingColor`, `skinColor`, `primaryBackgroundColor`, `secondaryBackgroundColor` (CSS colors: "#eeb4a4", "transparent"),
   * `backgroundType` and `backgroundRotation` (degrees).
   */
  extra: Record<string, unknown>;
};

/**
 * Draws "Personas" by Draftbit: the same options give the same drawing in every browser and on the server. The options must be valid
 * (schema.ts), because numbers and colors are inserted unescaped. Unknown part names are ignored.
 */
export function drawAvatar(options: AvatarOptions): AvatarDrawing {
  const { size, ...rest } = options;
  const { svg, extra } = createAvatar(personas, {
    ...rest,
    ...(size !== undefined && { size }),
    body: knownNames("body", options.body),
    eyes: knownNames("eyes", options.eyes),
    facialHair: knownNames("facialHair", options.facialHair),
    hair: knownNames("hair", options.hair),
    mouth: knownNames("mouth", options.mouth),
    nose: knownNames("nose", options.nose),
  }).toJson();
  return { svg: fixOverlayBlending(svg), extra };
}

/**
 * The light on a face uses the blend mode "overlay". The library applies it inside a masked group, which has no backdrop to blend with, so
 * dark skins turn gray. Moving the mask to the light itself lets it blend with the skin.
 */
function fixOverlayBlending(svg: string): string {
  return svg.replace(maskedOverlay, (_, mask: string, path: string) => path.replace("<path", `<path ${mask}`));
}

const maskedOverlay = /<g (mask="url\(#[^"]+\)")>(<path [^>]*mix-blend-mode:overlay[^>]*\/>)<\/g>/g;

type ColorKind = PaletteKind | "primaryBackgroundColor" | "secondaryBackgroundColor";

/** A color that an avatar is drawn with, as in the options: "f29c65", "transparent". */
export function drawnColor(options: AvatarOptions, kind: ColorKind): string {
  return String(drawAvatar(options).extra[kind]).replace("#", "");
}

/** The drawing as a data URL. */
export function svgDataUrl({ svg }: Pick<AvatarDrawing, "svg">): string {
  return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
}

function knownNames<Kind extends PartKind>(kind: Kind, names: string[]): PartName<Kind>[] {
  return names.filter((name) => isPartOf(kind, name));
}
