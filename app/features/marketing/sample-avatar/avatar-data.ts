import { backgrounds, defaultOptions } from "#app/features/avatar/rules.ts";
import type { AvatarOptions } from "#app/features/avatar/rules.ts";

/** How the sample's photo is drawn, by `scripts/draw-sample-avatar.mjs`. */
export const sampleAvatarOptions: AvatarOptions = {
  ...defaultOptions("maya"),
  backgroundColor: [backgrounds[3]],
  mouth: ["smile"],
};
