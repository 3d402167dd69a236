import { storeAsset } from "#app/features/uploads/data.server.ts";
import type { StoreAssetResult } from "#app/features/uploads/data.server.ts";
import { serverMessages } from "#app/features/uploads/messages.ts";
import { refuse } from "#app/features/uploads/rules.ts";
import { createFairQueue } from "#app/services/base/fair-queue.ts";
import type { Services } from "#app/services/http/context.ts";
import { rasterizeTask } from "#app/services/images/sharp.server.ts";

import { drawAvatar } from "./drawing.ts";
import { paperColor } from "./rules.ts";
import type { AvatarOptions } from "./rules.ts";

type AvatarDeps = Pick<Services, "db" | "files" | "jobs" | "events" | "displays" | "clock" | "log" | "workers">;

/** Draws an avatar and stores it in place of the previous one. The owner must have a profile. */
export async function storeAvatar(
  services: AvatarDeps,
  { ownerId, options }: { ownerId: string; options: AvatarOptions },
): Promise<StoreAssetResult> {
  // Initials are behind an avatar, and a JPEG has no transparency: transparent parts get the paper color.
  const { svg } = drawAvatar(options);
  const drawing = { svg, width: drawnWidth, background: `#${paperColor}` };
  const image = await drawQueue(ownerId, () => services.workers.run(rasterizeTask, drawing));
  if (image === "busy") return refuse(503, serverMessages.busy);
  return storeAsset(services, {
    ownerId,
    slot: "avatar",
    upload: new Uint8Array(image),
    avatarOptions: JSON.stringify(options),
  });
}

/** An owner who saves many avatars at once delays only their own. */
const drawQueue = createFairQueue({ concurrency: 1, maxWaitMs: 45_000 });

/** Twice the largest width that is served. */
const drawnWidth = 768;
