import { avatarUrl } from "#app/features/avatar/avatar-url.ts";
import { defaultOptions } from "#app/features/avatar/rules.ts";
import type { AvatarOptions } from "#app/features/avatar/rules.ts";

import { isAvatarSeed } from "./schema.ts";

/** How many avatars are offered at a time. */
const avatarCount = 4;

/** A friendly avatar for a seed. */
export function drawnAvatarOptions(seed: string): AvatarOptions {
  return { ...defaultOptions(seed), mouth: ["smile", "bigSmile", "smirk"] };
}

export function drawnAvatarUrl(seed: string): string {
  return avatarUrl(drawnAvatarOptions(seed), "svg");
}

/** Random seeds of other avatars. */
export function randomSeeds(): string[] {
  return Array.from({ length: avatarCount }, () => crypto.randomUUID().slice(0, 8));
}

/** The seeds that a form offered: "4f2a9c01,8b1d…". New ones when there are none. */
export function readSeeds(text: string): string[] {
  const seeds = text.slice(0, 200).split(",").filter(isAvatarSeed).slice(0, avatarCount);
  return seeds.length > 0 ? seeds : randomSeeds();
}
