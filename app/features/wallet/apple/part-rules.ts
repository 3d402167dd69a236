import type { PassContent } from "#app/features/wallet/pass-content.ts";

/** A part of a pass that is drawn on its own: the icon and the logo, the avatar, the background. */
export const passParts = ["logo", "thumbnail", "background"] as const;
export type PassPart = (typeof passParts)[number];

/** What the parts of a pass are drawn from. */
export type PartContent = Pick<PassContent, "images" | "colors">;

/** Everything that a part shows, as plain data: passes with the same can share it. */
export function describePart(part: PassPart, { images, colors }: PartContent): unknown {
  if (part === "thumbnail") return images.avatarKey;
  if (part === "logo") return images.logo;
  const { background, tint } = images;
  return [background, tint, background.kind === "default" ? "" : colors];
}
