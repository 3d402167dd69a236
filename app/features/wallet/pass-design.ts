import { z } from "zod";

import type { Plan } from "#app/features/billing/rules.ts";
import { passImageUrl } from "#app/features/uploads/image-urls.ts";
import type { HexColor } from "#app/services/base/color-contrast.ts";

import { defaultImageUrl, uploadedImageUrl } from "./assets/default-image-model.ts";

/** The color of a tint, "#3a5f8c"; "" for none. */
const tint = z.custom<HexColor | "">((text) => typeof text === "string" && /^(?:#[\da-f]{6})?$/.test(text));

/** `card`: drawn from the card's own colors. `default`: one of our images. `asset`: an upload, by its storage key prefix. */
const background = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("card") }),
  z.object({ kind: z.literal("default"), id: z.string() }),
  z.object({ kind: z.literal("asset"), key: z.string() }),
]);

/** `default`: the card's logo, or ours on a card without one. `asset`: an upload, by its storage key prefix. */
const logo = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("none") }),
  z.object({ kind: z.literal("default") }),
  z.object({ kind: z.literal("asset"), key: z.string() }),
]);

/** How a pass looks, as its owner chose it. Stored as JSON; what this release doesn't know is the default. */
const passDesignSchema = z.object({
  background: background.catch({ kind: "card" }),
  /** Over the background, at an opacity of 0.3. */
  tint: tint.catch(""),
  logo: logo.catch({ kind: "default" }),
  showsEmail: z.boolean().catch(true),
  showsPhone: z.boolean().catch(true),
  /** Whether the card's address is written below the QR code. */
  hasQrLabel: z.boolean().catch(true),
  /** The ids of the card's links on the back, in their order. Links that aren't named follow in the order of the card. */
  linkOrder: z.array(z.string()).max(100).catch([]),
});

export type PassDesign = z.infer<typeof passDesignSchema>;

/** Of an owner who chose nothing. */
export const defaultPassDesign: PassDesign = passDesignSchema.parse({});

/** Reads stored JSON, or a missing row. */
export function readPassDesign(stored: string | undefined): PassDesign {
  if (stored === undefined) return defaultPassDesign;
  const json: unknown = JSON.parse(stored);
  return passDesignSchema.catch(defaultPassDesign).parse(json);
}

/** The design that a pass shows. After a downgrade uploads and the tint stay stored, but the defaults are shown. */
export function includedDesign(plan: Pick<Plan, "hasOwnPassImages">, design: PassDesign): PassDesign {
  if (plan.hasOwnPassImages) return design;
  return {
    ...design,
    tint: "",
    background: design.background.kind === "asset" ? defaultPassDesign.background : design.background,
    logo: design.logo.kind === "asset" ? defaultPassDesign.logo : design.logo,
  };
}

/** The paths of a design's images: its background with and without the tint, and an uploaded logo. */
export function passImagePaths({ background, tint, logo }: PassDesign) {
  const logoPath = logo.kind === "asset" ? passImageUrl("logo", logo.key) : undefined;
  if (background.kind === "card") return { logo: logoPath };
  const original =
    background.kind === "default" ? defaultImageUrl(background.id, "raw") : passImageUrl("background", background.key);
  const tinted =
    background.kind === "default"
      ? defaultImageUrl(background.id, "raw", tint)
      : uploadedImageUrl(background.key, tint);
  return { background: tint === "" ? original : tinted, original, logo: logoPath };
}

/**
 * The image of such a path, as a form names it, and its tint: "/pass-images/washi.jpg?tint=3a5f8c" -> "default:washi" and "#3a5f8c".
 * Undefined for any other path. Whose an upload is, the library knows.
 */
export function readPassImagePath({ pathname, searchParams }: Pick<URL, "pathname" | "searchParams">) {
  const color = searchParams.get("tint");
  const tint = color ? `#${color}` : "";
  const [, id] = /^\/pass-images\/(\w+)\.jpg$/.exec(pathname) ?? [];
  const [, key] = /\/(pass-assets\/[\w-]+\/(?:backgrounds|logos)\/[\w-]+)\.\w+$/.exec(pathname) ?? [];
  if (id === "upload") return { image: `asset:${searchParams.get("key") ?? ""}`, tint };
  if (id !== undefined) return { image: `default:${id}`, tint };
  return key === undefined ? undefined : { image: `asset:${key}`, tint };
}
