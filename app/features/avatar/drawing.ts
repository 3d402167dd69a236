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
  return createAvatar(personas, {
    ...rest,
    ...(size !== undefined && { size }),
    body: known("body", options.body),
    eyes: known("eyes", options.eyes),
    facialHair: known("facialHair", options.facialHair),
    hair: known("hair", options.hair),
    mouth: known("mouth", options.mouth),
    nose: known("nose", options.nose),
  }).toJson();
}

/** Where a page has no room for markup of its own: an address that is the picture. */
export function pictureAddress({ svg }: Pick<Drawing, "svg">): string {
  return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
}

function known<Kind extends PartKind>(kind: Kind, names: string[]): PartName<Kind>[] {
  return names.filter((name) => isPartOf(kind, name));
}
