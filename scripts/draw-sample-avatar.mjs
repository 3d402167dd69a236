/**
 * Writes app/features/marketing/sample-avatar/: the photo of the sample profile in each variant that an avatar is served in, so that a
 * new server draws nothing at its first start.
 *
 *   node scripts/draw-sample-avatar.mjs
 */
import { writeFileSync } from "node:fs";

import { drawAvatar } from "../app/features/avatar/drawing.ts";
import { sampleAvatarOptions } from "../app/features/marketing/sample-avatar/avatar-data.ts";
import { prepareImages } from "../app/features/uploads/formats/prepare-images.server.ts";
import { rasterize } from "../app/services/images/sharp.server.ts";

const drawing = await rasterize(drawAvatar(sampleAvatarOptions).svg, { width: 768 });
const prepared = await prepareImages(new Uint8Array(drawing), { slot: "avatar", crop: undefined });
if (prepared.kind === "refused") throw new Error(prepared.message);
for (const { suffix, body } of prepared.files)
  writeFileSync(new URL(`../app/features/marketing/sample-avatar/avatar${suffix}`, import.meta.url), body);
