import { createAvatar } from "@dicebear/core";
import * as personas from "@dicebear/personas";

import { isPartOf } from "./rules.ts";
import type { AvatarOptions, PartKind, PartName } from "./rules.ts";

export type Drawing = {
  /** With its attribution (title, creator, source, licence) inside. */
  svg: string;
  /**
   * What the seed chose: `body`, `eyes`, `hair`, `mouth`, `nose`, `facialHair` (a part that is not there is left out), `hairColor`,
   * `clothingColor`, `skinColor`, `primaryBackgroundColor`, `secondaryBackgroundColor` (as CSS has them: "#eeb4a4", "transparent"),
   * `backgroundType` and `backgroundRotation` (degrees).
   */
  extra: Record<string, unknown>;
};

/**
 * The face of these options: "Personas" by Draftbit, the same from the same options in every browser and on the server. Options are
 * checked before (form.ts): numbers and colours go into the drawing as they are. Names that no part has are left out.
 */
export function drawAvatar(options: AvatarOptions): Drawing {
  const { size, ...rest } = options;
  const { svg, extra } = createAvatar(personas, {
    ...rest,
    ...(size !== undefined && { size }),
    body: known("body", options.body),
    eyes: known("eyes", options.eyes),
    facialHair: known("facialHair", options.facialHair),
    hair: known("hair", options.hair),
    mouth: known("mouth", options.mouth),
    nose: known("nose", options.nose),
  }).toJson();
  return { svg: withTrueLight(svg), extra };
}

/**
 * Light on a face is laid over its colour ("overlay"). The library does that inside a masked group, where there is nothing to be laid
 * over: white then lies on the skin as it is, and dark skins turn grey. With the mask on the light itself, it meets the skin.
 */
function withTrueLight(svg: string): string {
  return svg.replace(maskedLight, (_, mask: string, path: string) => path.replace("<path", `<path ${mask}`));
}

const maskedLight = /<g (mask="url\(#[^"]+\)")>(<path [^>]*mix-blend-mode:overlay[^>]*\/>)<\/g>/g;

/** Where a page has no room for markup of its own: an address that is the picture. */
export function pictureAddress({ svg }: Pick<Drawing, "svg">): string {
  return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
}

function known<Kind extends PartKind>(kind: Kind, names: string[]): PartName<Kind>[] {
  return names.filter((name) => isPartOf(kind, name));
}
