import { avatarUrl } from "#app/features/avatar/avatar-url.ts";
import { defaultOptions } from "#app/features/avatar/rules.ts";
import type { AvatarOptions } from "#app/features/avatar/rules.ts";

import { isFaceSeed } from "./schema.ts";

/** How many faces are offered at a time. */
const faceCount = 4;

/** A friendly face for a seed. */
export function faceOptions(seed: string): AvatarOptions {
  return { ...defaultOptions(seed), mouth: ["smile", "bigSmile", "smirk"] };
}

export function faceUrl(seed: string): string {
  return avatarUrl(faceOptions(seed), "svg");
}

/** Random seeds of other faces. */
export function randomFaces(): string[] {
  return Array.from({ length: faceCount }, () => crypto.randomUUID().slice(0, 8));
}

/** The seeds that a form offered: "4f2a9c01,8b1d…". New ones when there are none. */
export function readFaces(text: string): string[] {
  const seeds = text.slice(0, 200).split(",").filter(isFaceSeed).slice(0, faceCount);
  return seeds.length > 0 ? seeds : randomFaces();
}
